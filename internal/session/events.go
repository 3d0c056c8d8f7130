package session

import (
	"context"
	"maps"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/trace"
	"mallard/internal/transport/events"
)

// safepointRing is the ring abi.EventSafepointRing: the callbacks of a second have room in it, and more.
var safepointRing = events.Ring{Bytes: 256 << 10}

// eventRings carry what the agent learns while the world is stopped to the observers that asked for it.
type eventRings struct {
	memory *events.Memory
	reader *events.Reader
	clock  int64  // what CLOCK_MONOTONIC, by which events are, was when the recording began, nanoseconds
	kinds  uint64 // that somebody observes, a bit each
	stop   context.CancelFunc
	until  context.Context
	ended  chan struct{} // closed when the reader has read what there was
}

// openEvents lays the rings out, where an observer wants any; h has the file for them.
func (s *Session) openEvents(h *Hello) {
	handlers := map[events.Kind]events.Handler{}
	for _, o := range s.observers {
		maps.Copy(handlers, o.Events())
	}
	if len(handlers) == 0 || h.files.Events == nil {
		return
	}
	ring := safepointRing
	for _, o := range s.observers {
		ring.Levels = max(ring.Levels, 1+len(o.Less()))
	}
	memory, err := events.NewMemory(h.files.Events, []events.Ring{abi.EventSafepointRing: ring})
	if err != nil {
		s.recording.Loss("events", err.Error())
		return
	}
	r := &eventRings{
		memory: memory, reader: events.NewReader(memory, handlers, s.eventsLost), clock: clock(s.recording.Started()),
		ended: make(chan struct{}),
	}
	r.reader.Rest = s.putEvents
	for kind := range handlers {
		r.kinds |= 1 << kind
	}
	r.until, r.stop = context.WithCancel(context.Background())
	s.events = r
}

// readEvents reads until the rings are stopped, and then what is in them.
func (s *Session) readEvents() {
	defer close(s.events.ended)
	s.guarded("events", func() { s.events.reader.Run(s.events.until) })()
}

// lastEvents has all that was committed read. What comes later is left out.
func (s *Session) lastEvents() {
	if s.events != nil {
		s.events.stop()
		<-s.events.ended
	}
}

// close gives the memory back, which nobody reads any more.
func (r *eventRings) close() {
	if r != nil {
		r.stop()
		r.memory.Close()
	}
}

// keepEvents records events as they came, for an observer as Process.Track has it.
func (s *Session) keepEvents(observer string) events.Handler {
	gathered := s.recording.Events(observer)
	s.kept = append(s.kept, gathered)
	return func(e events.Event) { gathered.Add(uint32(e.Ring), uint16(e.Kind), e.Data) }
}

// putEvents records what has been gathered.
func (s *Session) putEvents() {
	for _, gathered := range s.kept {
		gathered.Put()
	}
}

// eventsLost records what is missing among events, behind those that came before.
func (s *Session) eventsLost(l events.Loss) {
	s.putEvents()
	lost := &trace.EventsLost{
		Ring: uint32(l.Ring), From: s.events.since(l.From), To: s.events.since(l.To),
		LevelThen: l.LevelThen, Level: l.Level, Reason: l.Reason, Less: s.less(l.Level),
	}
	for _, c := range l.Counts {
		lost.Counts = append(lost.Counts, trace.LostCount{Kind: uint16(c.Kind), Records: c.Records})
	}
	s.recording.Put(lost)
}

// less says what is less at a level of the rings.
func (s *Session) less(level uint32) string {
	var all []string
	for _, o := range s.observers {
		if list := o.Less(); level > 0 && len(list) > 0 {
			all = append(all, list[min(int(level), len(list))-1])
		}
	}
	return strings.Join(all, " and ")
}

// clock is what CLOCK_MONOTONIC was at a time, nanoseconds; 0 where it is unknown.
func clock(at time.Time) int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return 0
	}
	return now.Nano() - int64(time.Since(at))
}

// since makes a time of a ring's one of the recording; 0 where it is unknown.
func (r *eventRings) since(monotonic uint64) int64 {
	if monotonic == 0 {
		return 0
	}
	return int64(monotonic) - r.clock
}
