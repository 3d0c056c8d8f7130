package session

import (
	"encoding/binary"
	"errors"
	"io"
	"runtime/debug"
	"slices"
	"time"

	"mallard/internal/adapt"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// Limits of adaptation.
const (
	adaptEvery     = time.Second     // counters are looked at
	maxAdaptations = 3               // of a class
	maxBatch       = 64              // classes; each batch stops the program for some milliseconds
	minSaved       = 1_000_000       // increments that a class would not have made so far: a millisecond, which a new version costs about as well
	firstWait      = 2 * time.Second // before a class with a live frame is tried again, doubled each time
)

// For AdaptSoon.
const (
	soonEvery = 5 * time.Millisecond
	soonHot   = 10
)

// adaptation is how far adapting a class has come.
type adaptation struct {
	times int       // versions that were asked for
	next  time.Time // nothing is decided before
	wait  time.Duration
	never bool // the JVM does not want the class changed

	adapted map[string]bool // methods that were placed again
}

// order is a class that the agent is to have retransformed.
type order struct {
	key     classKey
	class   *class
	methods []string
}

// adapt converses with the thread of the agent that does what is wanted, until it or the session ends. What is wanted is decided here as well, while
// nobody waits for it: counters say how methods run, and where another placement were better, the class is retransformed.
func (s *Session) adapt(stop <-chan struct{}) {
	defer func() {
		if e := recover(); e != nil {
			s.log.Debug("adapting panicked", "error", e, "stack", string(debug.Stack()))
		}
	}()
	every := adaptEvery
	if s.options.AdaptSoon {
		every = soonEvery
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	var asked []order
	for {
		f, err := s.control.Receive()
		if err == nil {
			err = s.outcomes(asked, wire.NewPayload(f.Payload))
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.log.Debug("adapting ended", "error", err)
			}
			return
		}
		for asked = nil; len(asked) == 0; asked = s.decide() {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
		if err := s.control.Answer(wire.OK, s.wanted(asked)); err != nil {
			return
		}
	}
}

// wanted is the answer to the agent.
func (s *Session) wanted(orders []order) []byte {
	flags := uint32(0)
	if s.options.AdaptSoon {
		flags = wire.RetransformLive
	}
	b := binary.LittleEndian.AppendUint32(nil, flags)
	for _, o := range orders {
		b = binary.LittleEndian.AppendUint32(b, uint32(o.key.loader))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(o.key.name)))
		b = append(b, o.key.name...)
	}
	return b
}

// decide finds classes that are better placed again.
func (s *Session) decide() []order {
	started := time.Now()
	hot, minimum := int64(adapt.Hot), int64(minSaved)
	if s.options.AdaptSoon {
		hot, minimum = soonHot, 0
		s.mu.Lock()
		s.snapshot(false, 0)
		s.mu.Unlock()
	}
	var orders []order
	for key, c := range s.hotClasses(hot, minimum) {
		d, err := c.Decide(hot, s.options.AdaptSoon)
		if err != nil {
			s.log.Debug("no decision", "class", key.name, "error", err)
			d = &adapt.Decision{}
		}
		s.mu.Lock()
		if known := s.classes[key]; known != nil { // not unloaded meanwhile
			if len(d.Methods) > 0 && d.Executed-int64(d.Expected) >= minimum {
				known.frequencies = d.Frequencies
				orders = append(orders, order{key, known, d.Methods})
			} else {
				known.postpone(started)
			}
		}
		s.mu.Unlock()
		if len(orders) == maxBatch {
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.adapted.DecisionNanos += int64(time.Since(started))
	return orders
}

// postpone has a class looked at again later, each time twice as much later.
func (a *adaptation) postpone(now time.Time) {
	a.wait = max(firstWait, 2*a.wait)
	a.next = now.Add(a.wait)
}

// hotClasses gives the classes that may be placed again and have methods that ran often enough to save the minimum.
func (s *Session) hotClasses(hot, minimum int64) map[classKey]*adapt.Class {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	found := map[classKey]*adapt.Class{}
	for key, c := range s.classes {
		if c.original == nil || c.never || c.times >= maxAdaptations || now.Before(c.next) && !s.options.AdaptSoon {
			continue
		}
		sum, err := s.movableIncrements(c.last(), hot, max(minimum, 1))
		if err == nil && sum >= max(minimum, 1) {
			found[key], err = s.counted(c)
		}
		if err != nil {
			s.log.Debug("class not adapted", "class", key.name, "error", err)
			delete(found, key)
			c.never = true
		}
	}
	return found
}

// movableIncrements is how many increments those methods of a class made that have made as many as hot and may be placed again. Less than the minimum is not
// exact.
func (s *Session) movableIncrements(v *classVersion, hot, minimum int64) (int64, error) {
	totals := s.totalsOf(v)
	sum := int64(0)
	for _, t := range totals {
		if t.movable {
			sum += t.passed
		}
	}
	if sum < minimum {
		return sum, nil
	}
	methods, err := v.methods()
	sum = 0
	for i := range methods {
		if n := increments(&methods[i], totals); n >= hot && s.movable(&methods[i]) {
			sum += n
		}
	}
	return sum, err
}

// movable reports whether the counters of a method may be placed again.
func (s *Session) movable(m *instrument.Method) bool {
	return s.control != nil && s.options.OnSnapshot == "" && (m.Adaptable || s.options.AdaptSoon)
}

// increments is how many a method has made on its paths.
func increments(m *instrument.Method, totals []total) int64 {
	sum := int64(0)
	for _, c := range m.Counters {
		if c.Kind == instrument.Path {
			sum += totals[c.Number].passed
		}
	}
	return sum
}

func (s *Session) totalsOf(v *classVersion) []total { return s.totals[v.counters.first:v.counters.end] }

// counted gives a class with what the counters of its last version say now.
func (s *Session) counted(c *class) (*adapt.Class, error) {
	class, err := c.original()
	if err != nil {
		return nil, err
	}
	v := c.last()
	totals := slices.Clone(s.totalsOf(v))
	return &adapt.Class{Bytes: class, Strategy: s.options.Placement, Frequencies: v.frequencies, Counters: uint32(v.counters.end - v.counters.first), Count: func(number uint32) int64 {
		if int(number) < len(totals) {
			return totals[number].passed
		}
		return 0
	}}, nil
}

// total is what all threads together have counted with a counter.
type total struct {
	passed  int64
	packed  bool // its values are several numbers in one
	movable bool // it is on a path of a method that may be placed again
}

// tally adds to the totals over threads what a thread has counted since its counter had the value before.
func (s *Session) tally(c trace.CounterID, before, now int64) {
	t := &s.totals[c]
	if t.packed {
		before, _, _ = trace.Unpack(before)
		now, _, _ = trace.Unpack(now)
	}
	t.passed += now - before
}

// outcomes notes what became of the orders.
func (s *Session) outcomes(asked []order, p *wire.Payload) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	nanos := p.Uint64()
	if len(asked) == 0 {
		return p.Err()
	}
	s.adapted.Batches++
	s.adapted.JVMNanos += int64(nanos)
	for _, o := range asked {
		switch outcome := p.Uint32(); outcome {
		case wire.Retransformed:
			s.adapted.Classes++
			o.class.times++
			o.class.wait = 0
			if o.class.adapted == nil {
				o.class.adapted = map[string]bool{}
			}
			for _, m := range o.methods {
				if !o.class.adapted[m] {
					o.class.adapted[m] = true
					s.seen.Adapted++
				}
			}
		case wire.ClassLive:
			s.adapted.Live++
			o.class.postpone(time.Now())
		default:
			s.adapted.Refused++
			o.class.never = true
		}
	}
	s.putAdaptation()
	return p.Err()
}

// reckon records what adaptation was good for: the increments that adapted methods made, and those that they would have made without.
func (s *Session) reckon() {
	for key, c := range s.classes {
		if c.times == 0 || c.original == nil {
			continue
		}
		class, err := s.counted(c)
		var executed int64
		var otherwise float64
		if err == nil {
			executed, otherwise, err = class.Otherwise()
		}
		if err != nil {
			s.log.Debug("no reckoning", "class", key.name, "error", err)
			continue
		}
		s.adapted.Increments += executed
		s.adapted.Otherwise += int64(otherwise)
	}
	if s.adapted != (trace.Adaptation{}) {
		s.putAdaptation()
	}
}

// putAdaptation records what adaptation has come to.
func (s *Session) putAdaptation() {
	record := s.adapted
	s.recording.Put(&record)
}
