package heap

import (
	"iter"
	"math"

	"mallard/internal/abi"
)

// replayer puts walks together.
type replayer struct {
	classes *classes
	numbers numbers
	heap    *Heap
	current *state  // whose successor has not come
	finish  *finish // of current
	lost    int64   // events
	damaged int64   // events

	// of the walk that is being read
	walk        uint32
	rows        int64 // events
	born, moved *Heap

	singles seen

	late bool // the first walk is that of a keyframe: its rows are all that is in the heap
}

func newReplayer(c *classes) *replayer {
	return &replayer{classes: c, numbers: newNumbers(), heap: newHeap(), born: newHeap(), moved: newHeap()}
}

// states gives each pause as soon as it is known what it has left.
func (r *replayer) states(events *recorded) iter.Seq[*state] {
	return func(yield func(*state) bool) {
		r.singles.any = len(events.singles) > 0
		for kind, data := range events.all(r.singles.packed) {
			walk := r.event(kind, data)
			if walk == nil {
				continue
			}
			if r.current != nil && !yield(r.collect(walk.Unseen)) {
				return
			}
			r.begin(*walk)
		}
		if r.current != nil {
			r.current.Ended = true
			yield(r.current)
		}
	}
}

// event takes one event. It returns the walk that is complete with it, nil for none.
func (r *replayer) event(kind uint16, data []byte) *Walk {
	good := true
	switch kind {
	case abi.EventHeapLoader:
		good = r.numbers.loader(data)
	case abi.EventHeapClass:
		good = r.define(data)
	case abi.EventHeapImplied:
		var class Class
		if class, good = r.numbers.implied(data); good {
			r.classes.imply(class)
		}
	case abi.EventHeapGone:
		good = r.forgetNumbers(data)
	case abi.EventHeapRows:
		var list rows
		if list, good = decodeRows(data); good {
			r.add(list)
		}
	case abi.EventHeapWalk:
		var w Walk
		if w, good = decodeWalk(data); good {
			r.complete(w)
			return &w
		}
	case abi.EventHeapSingles, abi.EventHeapSinglesEnd:
		good = r.singles.take(kind, data)
	case abi.EventHeapHeld, abi.EventHeapDoubts, abi.EventHeapHeldEnd:
		good = r.late && r.current == nil && r.singles.take(kind, data)
	case abi.EventHeapFinish:
		var f finish
		if f, good = decodeFinish(data); good {
			good = r.current != nil && f.walk == r.current.Number && r.finish.merge(&f)
			if good && r.finish == nil {
				r.finish = &f
			}
		}
	}
	if !good {
		r.damaged++
	}
	return nil
}

// add takes rows of a walk. If those before are of another one, its end is missing, and they are lost.
func (r *replayer) add(list rows) {
	if list.walk != r.walk {
		r.forget()
	}
	r.walk = list.walk
	r.rows++
	to := r.born
	if list.moved {
		to = r.moved
	}
	entries, named := make([]entry, len(list.list)), true
	for i, row := range list.list {
		class, known := r.numbers.class(row.number)
		named = named && known
		entries[i] = entry{class, row.Amount}
	}
	to.add(list.at, entries...)
	if !named {
		r.lost++ // what would name a class
	}
}

// define takes an event; what is damaged, or has been defined, changes nothing.
func (r *replayer) define(data []byte) (good bool) {
	d, good := DecodeDefinition(data)
	if !good {
		return false
	}
	n := r.numbers.define(&d)
	if n == nil {
		return false
	}
	n.class = r.classes.defined(n.name, n.loader, d.Tag)
	return true
}

// forgetNumbers takes an event: others may have the numbers of some classes. What there is of these stays theirs.
func (r *replayer) forgetNumbers(data []byte) (good bool) {
	gone, good := DecodeGone(data)
	if !good {
		return false
	}
	for number := range gone {
		delete(r.numbers.classes, number)
		r.singles.forget(number)
	}
	return true
}

// forget leaves the rows out that were read last.
func (r *replayer) forget() {
	r.lost += r.rows
	r.rows, r.born, r.moved = 0, newHeap(), newHeap()
}

// complete has only the rows of a walk that is complete, and counts those that it lacks, and the walks before it.
func (r *replayer) complete(w Walk) {
	if uint32(w.Number) != r.walk {
		r.forget()
	}
	if r.late && r.current == nil {
		return
	}
	next := int64(0)
	if r.current != nil {
		next = r.current.Number + 1
	}
	if w.Number != next {
		r.lost += max(1, min(w.Number-next, math.MaxUint32))
	}
	r.lost += max(0, w.rows-r.rows)
}

// collect has the current pause do to the heap what it did, and what a collection has done that came behind it unseen.
func (r *replayer) collect(unseen bool) *state {
	f := r.finish
	if f == nil { // it is missing
		r.lost++
		f = &finish{time: r.current.Start}
		if !r.moved.isEmpty() {
			f.collected = Young
		}
	}
	if unseen {
		f.collected = Everything
	}
	s := r.current
	s.Finish, s.Collected, s.Unannounced, s.Lost = f.time, f.collected, unseen, r.lost
	r.heap.take(s.gone, func(at place) bool {
		switch {
		case unseen:
			return true
		case at.space == Humongous:
			return f.freed[at.region]
		case f.collected == Everything:
			return true
		case at.space == Old:
			return f.freed[at.region]
		}
		return f.collected == Young
	})
	for at := range s.gone.places {
		s.Freed = s.Freed || at.space == Old
	}
	s.moved, s.freed = r.moved, f.freed
	r.classes.resite(s)
	r.heap.addAll(s.moved)
	return s
}

// begin has the rows of a walk that is complete arrive in the heap. What was moved before the first one came before it
// too.
func (r *replayer) begin(w Walk) {
	born := r.born
	if r.current == nil {
		born.addAll(r.moved)
	}
	r.heap.addAll(born)
	r.current = &state{Pause: &Pause{Walk: w, Found: r.heap.bytes(), Lost: r.lost}, born: born, gone: newHeap(),
		moved: newHeap(), heap: r.heap, seen: r.singles.by(w)}
	r.finish, r.rows, r.born, r.moved = nil, 0, newHeap(), newHeap()
}
