package session

import (
	"context"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/observe"
	"mallard/internal/recording"
	"mallard/internal/trace"
	"mallard/internal/transport/events"
)

// safepointRing is the ring abi.EventSafepointRing: the callbacks of a second have room in it, and more.
var safepointRing = events.Ring{Bytes: 256 << 10}

// eventRings carry what the agent learns while the world is stopped to the observers that asked for it.
type eventRings struct {
	recording *recording.Recording
	kept      []*recording.Events // that are recorded as they come
	less      [][]string          // what is less at each level of the rings, by observer

	// Those below are zero where no observer wants events.
	memory *events.Memory
	reader *events.Reader
	clock  int64  // what CLOCK_MONOTONIC, by which events are, was when the recording began, nanoseconds
	kinds  uint64 // that somebody observes, a bit each
	stop   context.CancelFunc
	until  context.Context
	ended  chan struct{} // closed when the reader has read what there was
}

// keep records events as they come, for an observer as Process.Track has it, and has somebody follow them, or nil.
func (r *eventRings) keep(observer string, follower recording.Follower) events.Handler {
	gathered := r.recording.Events(observer, follower)
	r.kept = append(r.kept, gathered)
	return func(e events.Event) { gathered.Add(uint32(e.Ring), uint16(e.Kind), e.Data) }
}

// open lays the rings out in a file, where an observer wants any.
func (r *eventRings) open(file *os.File, observers []observe.Observer) {
	handlers := map[events.Kind]events.Handler{}
	ring := safepointRing
	for _, o := range observers {
		for kind, handler := range o.Events() {
			handlers[kind] = also(handlers[kind], handler)
		}
		ring.Bytes = max(ring.Bytes, o.EventBytes())
		less := o.Less()
		ring.Levels = max(ring.Levels, 1+len(less))
		if len(less) > 0 {
			r.less = append(r.less, less)
		}
	}
	if len(handlers) == 0 || file == nil {
		return
	}
	memory, err := events.NewMemory(file, []events.Ring{abi.EventSafepointRing: ring})
	if err != nil {
		r.recording.Loss("events", err.Error())
		return
	}
	r.memory, r.reader = memory, events.NewReader(memory, handlers, r.lost)
	r.reader.Rest = r.put
	r.clock, r.ended = clock(r.recording.Started()), make(chan struct{})
	for kind := range handlers {
		r.kinds |= 1 << kind
	}
	r.until, r.stop = context.WithCancel(context.Background())
}

// also has two handlers take events; the first one may be nil.
func also(first, second events.Handler) events.Handler {
	if first == nil {
		return second
	}
	return func(e events.Event) {
		first(e)
		second(e)
	}
}

// read reads until the rings are stopped, and then what is in them.
func (r *eventRings) read() { r.reader.Run(r.until) }

// finish has all that was committed read. What comes later is left out.
func (r *eventRings) finish() {
	if r.kinds != 0 {
		r.stop()
		<-r.ended
	}
}

// close gives the memory back, which nobody reads any more.
func (r *eventRings) close() {
	if r.kinds != 0 {
		r.stop()
		r.memory.Close()
	}
}

// put records what has been gathered.
func (r *eventRings) put() {
	for _, gathered := range r.kept {
		gathered.Put()
	}
}

// keyframe records what events come to that somebody follows.
func (r *eventRings) keyframe() {
	for _, gathered := range r.kept {
		gathered.Keyframe()
	}
}

// lost records what is missing among events, behind those that came before.
func (r *eventRings) lost(l events.Loss) {
	r.put()
	lost := &trace.EventsLost{
		Ring: uint32(l.Ring), From: r.since(l.From), To: r.since(l.To),
		LevelThen: l.LevelThen, Level: l.Level, Reason: l.Reason, Less: r.lessAt(l.Level),
	}
	for _, c := range l.Counts {
		lost.Counts = append(lost.Counts, trace.LostCount{Kind: uint16(c.Kind), Records: c.Records})
	}
	r.recording.Put(lost)
}

// lessAt says what is less at a level of the rings.
func (r *eventRings) lessAt(level uint32) string {
	var all []string
	for _, less := range r.less {
		if level > 0 {
			all = append(all, less[min(int(level), len(less))-1])
		}
	}
	return strings.Join(all, " and ")
}

// since makes a time of a ring's one of the recording; 0 where it is unknown.
func (r *eventRings) since(monotonic uint64) int64 {
	if monotonic == 0 {
		return 0
	}
	return int64(monotonic) - r.clock
}

// clock is what CLOCK_MONOTONIC was at a time, nanoseconds; 0 where it is unknown.
func clock(at time.Time) int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return 0
	}
	return now.Nano() - int64(time.Since(at))
}
