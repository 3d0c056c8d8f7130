package session

import (
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// adaptEvery is how often counters are looked at, adaptSoonEvery the same for tests.
const (
	adaptEvery     = time.Second
	adaptSoonEvery = 5 * time.Millisecond
	watchEvery     = 200 * time.Millisecond // where classes tell what they read for moments
)

// adapt converses with the thread of the agent that retransforms classes, until it or the session ends. Which classes
// is decided here as well, while nobody waits for it: counters say how methods run, and where another placement were
// better, the class is retransformed. Whether some tell what they read is said also where none is.
func (s *Session) adapt(stop <-chan struct{}) {
	every := adaptEvery
	if s.options.AdaptSoon {
		every = adaptSoonEvery
	}
	if s.watcher != nil {
		every = min(every, watchEvery)
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	defer close(s.detaching.over)
	defer s.leaveAfterPanic()
	var orders []classes.Order
	for {
		f, err := s.control.Receive()
		if err == nil {
			err = transport.Handle(f.Payload, func(m *transport.Retransformed) error { return s.outcomes(orders, m) })
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.log.Debug("adapting ended", "error", err)
			}
			return
		}
		for orders = s.present(); len(orders) == 0 && s.classes.WatchesNow() == s.saidWatched; orders = s.decide() {
			select {
			case <-stop:
				return
			case <-s.detaching.wanted:
				s.detach()
				return
			case <-tick.C:
			}
		}
		if err := s.control.Answer(abi.OK, s.wanted(orders)); err != nil {
			return
		}
	}
}

// present gives classes that were loaded before Mallard was attached, one batch after the other.
func (s *Session) present() []classes.Order {
	if !s.options.Attached || s.detaching.asked() {
		return nil
	}
	orders, summary := s.classes.NextPresent()
	if summary != "" && s.options.Looked != nil {
		s.options.Looked()
	}
	if summary != "" && s.options.Say != nil && !s.options.Quiet {
		s.options.Say(fmt.Sprintf("recording process %d: %s", s.pid, summary))
	}
	return orders
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
	var orders []classes.Order
	if now := time.Now(); s.watcher == nil || !now.Before(s.decideNext) {
		s.decideNext = now.Add(adaptEvery)
		orders = s.classes.Decide()
	}
	if s.watcher != nil && (len(orders) == 0 || !orders[0].IsMissed()) {
		orders = s.classes.Watch(orders, s.watcher.Readers(), s.watcher.Pause(), processorTime(s.pid))
	}
	if s.untagger == nil || !s.classes.Untags() || len(orders) > 0 && orders[0].IsMissed() {
		return orders
	}
	return s.classes.Untag(orders, s.untagger.Implied(s.options.AdaptSoon))
}

// wanted is the answer to the agent.
func (s *Session) wanted(orders []classes.Order) []byte {
	var answer transport.RetransformAnswer
	s.saidWatched = s.classes.WatchesNow()
	if s.saidWatched {
		answer.Flags |= abi.RetransformWatched
	}
	if s.options.AdaptSoon {
		answer.Flags |= abi.RetransformLive
	}
	if s.options.Attached {
		answer.Flags |= abi.RetransformCold
	}
	for _, o := range orders {
		if o.IsWatch() {
			answer.Flags |= abi.RetransformCold | abi.RetransformAgain
		}
		for _, s := range o.Implied {
			answer.Implied = append(answer.Implied, transport.ImpliedSite{Tag: uint32(s.Tag), Class: s.Class})
		}
		answer.Classes = append(answer.Classes, transport.ClassKey{Loader: uint32(o.Key.Loader), Name: o.Key.Name})
	}
	return answer.Encode()
}

// outcomes notes what became of the orders.
func (s *Session) outcomes(orders []classes.Order, m *transport.Retransformed) error {
	if len(m.Outcomes) != len(orders) {
		return fmt.Errorf("%d outcomes of %d classes", len(m.Outcomes), len(orders))
	}
	s.classes.Outcomes(orders, m)
	return nil
}

// processorTime is how long a process has run, in all of its threads; 0 where that is not known.
func processorTime(pid int) time.Duration {
	const scheduled, kinds = 2, 3 // as clock_getcpuclockid(3) makes it of a process's number
	clock := int32(^pid)<<kinds | scheduled
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
