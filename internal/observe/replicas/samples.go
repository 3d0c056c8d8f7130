package replicas

import (
	"maps"
	"strings"
	"sync"

	"mallard/internal/abi"
	"mallard/internal/replica"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

const (
	maxReaders = 1 << 14 // classes that are thought of
	halfLife   = 256     // objects after which half as much is thought of a class: programs go on to other things
	forgotten  = 0.01    // less is nothing
)

// samples add up what the agent tells of objects that it watches (agent/watch.c). Any goroutine may use them.
type samples struct {
	mu      sync.Mutex
	found   *replica.Samples
	objects int                // that were watched
	readers map[string]float64 // classes whose code may read what is watched, and how often it was thought to
}

func newSamples() *samples {
	return &samples{found: replica.NewSamples(), readers: map[string]float64{}}
}

// likely are the classes on stacks that make what is watched, and its own, and how much is thought of each.
func (s *samples) likely() map[string]float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.readers)
}

// handle adds a message up. None is answered.
func (s *samples) handle(f transport.Frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch f.Type {
	case abi.SampledStack:
		return transport.Handle(f.Payload, s.stack)
	case abi.Sampled:
		return transport.Handle(f.Payload, s.sampled)
	case abi.SampledWhole:
		return transport.Handle(f.Payload, s.whole)
	case abi.SampledValue:
		return transport.Handle(f.Payload, s.value)
	}
	return transport.Handle(f.Payload, s.pair)
}

func (s *samples) stack(m *transport.SampledStack) error {
	stack := &replica.SampledStack{Class: strings.Clone(m.Class)}
	for _, f := range m.Frames {
		stack.Frames = append(stack.Frames, replica.SampledFrame{Class: strings.Clone(f.Class),
			Method: strings.Clone(f.Method), Descriptor: strings.Clone(f.Descriptor), Line: f.Line})
	}
	s.found.AddStack(m.Number, stack)
	return nil
}

// sampled thinks most of who is near to where the object was made, and of its own class.
func (s *samples) sampled(m *transport.Sampled) error {
	s.found.AddSampled(m.Made, int64(m.Bytes), int64(m.Objects))
	if s.objects++; s.objects%halfLife == 0 {
		for class := range s.readers {
			if s.readers[class] /= 2; s.readers[class] < forgotten {
				delete(s.readers, class)
			}
		}
	}
	stack := s.found.Stack(m.Made)
	if stack == nil {
		return nil
	}
	if name, isObject := strings.CutPrefix(stack.Class, "L"); isObject {
		s.think(strings.TrimSuffix(name, ";"), 1)
	}
	for depth, f := range stack.Frames {
		s.think(f.Class, 1/float64(depth+1))
	}
	return nil
}

func (s *samples) pair(m *transport.SampledPair) error {
	s.found.AddPair(m.Made, m.Read, m.Outcome, int64(m.Reads))
	return nil
}

func (s *samples) whole(m *transport.SampledWhole) error {
	s.found.AddWhole(m.Made, m.Hash)
	return nil
}

func (s *samples) value(m *transport.SampledValue) error {
	s.found.AddValue(m.Made, m.Hash, m.Contents)
	return nil
}

func (s *samples) think(class string, more float64) {
	if _, known := s.readers[class]; known || len(s.readers) < maxReaders {
		s.readers[class] += more
	}
}

// records are the totals so far.
func (s *samples) records(set uint32) []*trace.Events {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found.Records(set)
}
