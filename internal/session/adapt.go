package session

import (
	"encoding/binary"
	"errors"
	"io"
	"time"

	"mallard/internal/classes"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// adaptEvery is how often counters are looked at, adaptSoonEvery the same for tests.
const (
	adaptEvery     = time.Second
	adaptSoonEvery = 5 * time.Millisecond
)

// adapt converses with the thread of the agent that retransforms classes, until it or the session ends. Which classes is
// decided here as well, while nobody waits for it: counters say how methods run, and where another placement were better,
// the class is retransformed.
func (s *Session) adapt(stop <-chan struct{}) {
	every := adaptEvery
	if s.options.AdaptSoon {
		every = adaptSoonEvery
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	var orders []classes.Order
	for {
		f, err := s.control.Receive()
		if err == nil {
			err = s.outcomes(orders, wire.NewPayload(f.Payload))
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.log.Debug("adapting ended", "error", err)
			}
			return
		}
		for orders = nil; len(orders) == 0; orders = s.decide() {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
		if err := s.control.Answer(wire.OK, s.wanted(orders)); err != nil {
			return
		}
	}
}

// decide finds classes that are better placed again.
func (s *Session) decide() []classes.Order {
	s.fault("decide")
	if s.options.AdaptSoon {
		s.counting.Do(func() {
			if !s.recording.Finished() {
				s.snapshot(&trace.Mark{}, false)
			}
		})
	}
	return s.classes.Decide()
}

// wanted is the answer to the agent.
func (s *Session) wanted(orders []classes.Order) []byte {
	flags := uint32(0)
	if s.options.AdaptSoon {
		flags = wire.RetransformLive
	}
	b := binary.LittleEndian.AppendUint32(nil, flags)
	for _, o := range orders {
		b = binary.LittleEndian.AppendUint32(b, uint32(o.Key.Loader))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(o.Key.Name)))
		b = append(b, o.Key.Name...)
	}
	return b
}

// outcomes notes what became of the orders.
func (s *Session) outcomes(orders []classes.Order, p *wire.Payload) error {
	nanos := p.Uint64()
	outcomes := make([]uint32, len(orders))
	for i := range outcomes {
		outcomes[i] = p.Uint32()
	}
	if p.Err() == nil {
		s.classes.Outcomes(orders, nanos, outcomes)
	}
	return p.Err()
}
