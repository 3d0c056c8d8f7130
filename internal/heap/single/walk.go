package single

import (
	"encoding/binary"
	"iter"

	"mallard/internal/abi"
)

// Walk is what a walk has told so far.
type Walk struct {
	Number    uint32
	Events    int64
	Objects   int64 // in them
	End       End   // zero before it has come
	Ended     bool
	Undecoded int64 // events that are damaged, or lack a class
	Held      *Held // where its objects are those of a keyframe behind it; else nil

	births  births
	moved   []readAgain // events of what the collector has moved
	list    list        // of other objects; isMoved: it has turned out that it was there before
	decoder *Decoder    // nil: none of them has any
}

// End is what the agent says of a walk's single objects.
type End struct {
	Events, Objects int64
	LeftOut         int64 // for want of room
	Unordered       int64 // that had no order yet
	Given           int64 // orders, since the start
	Unplaced        int64 // births that are told without an address, for want of room
}

// IsWhole reports whether all that the walk has read is in it.
func (w *Walk) IsWhole() bool {
	return w.Ended && w.End.LeftOut == 0 && w.Undecoded == 0 && w.Events == w.End.Events && w.Objects == w.End.Objects
}

// Add takes an event of abi.EventHeapSingles, which is asked for its data again. False: it is damaged, or of another
// walk; then it has changed nothing but a count. What it takes of memory is in proportion to the data.
func (w *Walk) Add(event Event, d *Decoder) bool {
	before := w.list.n
	w.decoder = d
	objects, good := w.decode(event, d)
	if !good {
		w.list.truncate(&d.pool, before)
		w.Undecoded++
		return false
	}
	w.added(objects)
	return true
}

// added counts an event and its objects.
func (w *Walk) added(objects int) {
	w.Events++
	w.Objects += int64(objects)
}

// decode takes an event that has births, or moved objects, and appends others to the list.
func (w *Walk) decode(event Event, d *Decoder) (objects int, good bool) {
	e, good := d.open(event.Data())
	if !good || e.walk != w.Number {
		return 0, false
	}
	objects = e.left()
	again := readAgain{event, d.meanings.now()}
	born := birthEvent{readAgain: again, address: e.at.address, order: e.next, from: w.list.n}
	areBorn := !e.at.moved && !isOld(e.at.space)
	for e.left() > 0 {
		c, good := e.read(d.some[:])
		if !good {
			return 0, false
		}
		births := uint32(0)
		if areBorn {
			births = c.new
		}
		if born.n += births; int(births) == len(c.objects) || e.at.moved {
			continue
		}
		w.list.begin(*c.in)
		for k := range c.objects {
			if p := &c.objects[k]; !areBorn || !p.has(isNew) {
				w.list.add(&d.pool, *p)
			}
		}
	}
	if !e.ended() {
		return 0, false
	}
	if e.at.moved {
		w.moved = append(w.moved, again)
	}
	if born.to = w.list.n; born.n > 0 {
		w.births.events = append(w.births.events, born)
		w.births.n += int(born.n)
	}
	return objects, true
}

// allMoved gives what the collector has moved.
func (w *Walk) allMoved() iter.Seq[chunk] {
	return func(yield func(chunk) bool) {
		for _, c := range chunksOf(w.decoder, w.moved, func(e *readAgain) *readAgain { return e }) {
			if !yield(c) {
				return
			}
		}
	}
}

// All gives the objects, those that were moved behind the others, each until the next one. Nobody may Add any
// meanwhile.
func (w *Walk) All() iter.Seq[*Seen] {
	return func(yield func(*Seen) bool) {
		chunk := func(c chunk) bool {
			for k := range c.objects {
				p := &c.objects[k]
				if !yield(&Seen{p.object(c.in), p.has(isMoved), p.has(isNew)}) {
					return false
				}
			}
			return true
		}
		at := 0
		for e, c := range chunksOfBirths(w.decoder, w.births.events) {
			for other := range w.list.chunks(at, e.from) {
				if !chunk(other) {
					return
				}
			}
			if at = e.to; !chunk(c) {
				return
			}
		}
		for other := range w.list.chunks(at, w.list.n) {
			if !chunk(other) {
				return
			}
		}
		for c := range w.allMoved() {
			if !chunk(c) {
				return
			}
		}
		if w.Held == nil {
			return
		}
		for i := range w.Held.objects.n {
			if !yield(&Seen{Object: *w.Held.objects.at(i), Moved: true}) {
				return
			}
		}
	}
}

// free gives the memory of the list to walks that follow, which have as many, or fewer.
func (w *Walk) free() {
	if w.decoder != nil {
		pieces := len(w.list.list)
		w.list.truncate(&w.decoder.pool, 0)
		w.decoder.pool.keep(pieces)
	}
}

// Finish takes an event of abi.EventHeapSinglesEnd; false: it is damaged, or of another walk.
func (w *Walk) Finish(data []byte) bool {
	end, number, good := DecodeEnd(data)
	if !good || number != int64(w.Number) {
		return false
	}
	w.Ended, w.End = true, end
	return true
}

// DecodeEnd reads such an event, which is of the walk with a number; false: it is damaged.
func DecodeEnd(data []byte) (end End, number int64, good bool) {
	var words [abi.HeapSinglesEndWords]int64
	if !readWords(words[:], data, abi.HeapSinglesEndUnplaced) {
		return End{}, 0, false
	}
	return End{Events: words[abi.HeapSinglesEndEvents], Objects: words[abi.HeapSinglesEndObjects],
			LeftOut: words[abi.HeapSinglesEndLeftOut], Unordered: words[abi.HeapSinglesEndUnordered],
			Given: words[abi.HeapSinglesEndGiven], Unplaced: words[abi.HeapSinglesEndUnplaced]},
		words[abi.HeapSinglesEndWalk], true
}

// readWords reads numbers of 8 bytes, of which older recordings have fewer; false: they are damaged.
func readWords(words []int64, data []byte, older int) bool {
	if n := len(data) / 8; len(data)%8 != 0 || n != older && n != len(words) {
		return false
	}
	for i := range len(data) / 8 {
		if words[i] = int64(binary.LittleEndian.Uint64(data[8*i:])); words[i] < 0 {
			return false
		}
	}
	return true
}

// WalkOf is the number of the walk that an event, of either kind, is of.
func WalkOf(data []byte) (number uint32, good bool) {
	if len(data) < 4 {
		return 0, false
	}
	return binary.LittleEndian.Uint32(data), true
}
