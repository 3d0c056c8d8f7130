package heap

import (
	"iter"
	"time"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// Observer is whose events these are, in --track and in recordings.
const Observer = "objects"

// History is what became of a heap, pause by pause.
type History struct {
	Pauses  []Pause // in the order of time; the last one is the JVM's end, or as much as is known
	Damaged int64   // events that could not be read

	events  *recorded
	start   start
	classes *classes
	numbers numbers  // behind the last event
	singly  bool     // single objects were recorded
	parts   *History // where classes stand for several: the one that tells these apart; else nil
}

// start is where a History begins: before the first walk, or at a keyframe.
type start struct {
	late bool  // at a keyframe
	lost int64 // events before
}

// NewHistory takes the events of Observer, in the order in which they were recorded, and keeps them. They may be
// damaged.
func NewHistory(events []*trace.Events) *History {
	var all recorded
	for _, e := range events {
		all.add(e)
	}
	return newHistory(&all, newClasses(nil), start{})
}

func newHistory(events *recorded, c *classes, from start) *History {
	h := &History{events: events, start: from, classes: c}
	r := h.replayer()
	for state := range r.states(events) {
		h.Pauses = append(h.Pauses, *state.Pause)
	}
	h.Damaged, h.singly, h.numbers = r.damaged, r.singles.any, r.numbers
	return h
}

// IsLate reports whether the history begins at a keyframe: what there was then is as if it had been born before the
// first pause, and nobody knows what had died.
func (h *History) IsLate() bool { return h.start.late }

// Begin is when what is known begins: 0, or, where the history is late, with the first pause.
func (h *History) Begin() time.Duration {
	if !h.start.late || len(h.Pauses) == 0 {
		return 0
	}
	return h.Pauses[0].Start
}

// IsTagged reports whether there are objects that know the site that made them.
func (h *History) IsTagged() bool { return h.classes.anyTag }

// Implied is how many sites give no tags to what they make, where sites are told apart: what has none is theirs.
func (h *History) Implied() int { return len(h.classes.implied) }

// Site is the one that has made the objects of a class, where sites are told apart and it is known; else nil.
func (h *History) Site(c Class) *profile.Site { return h.classes.made[c].Site }

// Context is that in which it has made them, where contexts are told apart; else profile.NoContext.
func (h *History) Context(c Class) int32 { return h.classes.made[c].Context }

// Thread is the title of the one that has made the objects of a class, where threads are told apart.
func (h *History) Thread(c Class) string { return threadTitle(h.classes.made[c].Thread) }

// MayBeUnused reports whether a class's objects may be what the JVM has filled unused memory with.
func (h *History) MayBeUnused(class Class) bool { return h.classes.mayBeUnused(class) }

// Missing is how many events are lost or damaged.
func (h *History) Missing() int64 { return h.missing(len(h.Pauses) - 1) }

// missing is how many are up to a moment. Of those that are damaged it is not known when they were.
func (h *History) missing(to int) int64 {
	if to < 0 {
		return h.Damaged
	}
	return h.Pauses[to].Lost + h.Damaged
}

// Name is a class in Java's words: java.lang.String, int[][].
func (h *History) Name(c Class) string { return h.classes.names[c] }

// Names yields the names of all classes, those of several loaders more than once.
func (h *History) Names(yield func(string) bool) {
	for _, name := range h.classes.names {
		if !yield(name) {
			return
		}
	}
}

// states replays up to a pause. Both are by index in Pauses.
func (h *History) states(to int) iter.Seq2[int, *state] { return h.replay(h.replayer(), to) }

// replayer begins where the history does.
func (h *History) replayer() *replayer {
	r := newReplayer(h.classes)
	r.late, r.lost = h.start.late, h.start.lost
	return r
}

func (h *History) replay(r *replayer, to int) iter.Seq2[int, *state] {
	return func(yield func(int, *state) bool) {
		i := 0
		for s := range r.states(h.events) {
			if i > to || !yield(i, s) {
				return
			}
			i++
		}
	}
}

// Class is the class that the recording defines so; Other where it defines none.
func (h *History) Class(is Identity) Class {
	if fillers[is.Name] {
		return Unused
	}
	return h.classes.known[h.classes.distinct(is)]
}

// ClassNumbered is the class that has a number in the recording, at its end; Other where none has.
func (h *History) ClassNumbered(number uint32) Class {
	class, _ := h.numbers.class(number)
	return class
}
