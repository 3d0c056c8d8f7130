package single

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"mallard/internal/abi"
)

// doubtsMost is how many orders an event has at most.
const doubtsMost = 1 << 14

// Numbers say which number a class has in a keyframe, and how many bytes its objects have there; 0: they differ.
type Numbers func(class int32) (number, bytes uint32)

// Keyframe puts what is known behind the last walk, which is that of a pause, as events of a keyframe. Their data are
// put's until it returns.
func (t *Table) Keyframe(pause int, last *Walk, numbers Numbers, put func(kind uint16, data []byte)) {
	w := heldWriter{walk: last.Number, pause: int32(pause), numbers: numbers, put: put}
	for o := range t.byAddress() {
		w.add(o)
	}
	for o := range t.newborn.all(&t.doubts) { // in the order of addresses, as they were found
		w.add(o)
	}
	w.end()
	t.putDoubts(last.Number, put)
	words := [abi.HeapHeldEndWords]int64{
		abi.HeapHeldEndWalk: int64(last.Number), abi.HeapHeldEndObjects: w.all,
		abi.HeapHeldEndLeftOut: last.End.LeftOut, abi.HeapHeldEndGiven: last.End.Given,
		abi.HeapHeldEndLate: t.Late, abi.HeapHeldEndUnordered: t.Unordered, abi.HeapHeldEndUnseen: t.Unseen,
		abi.HeapHeldEndAllLeft: t.LeftOut, abi.HeapHeldEndShared: t.Shared, abi.HeapHeldEndAgain: t.Again,
		abi.HeapHeldEndUnplaced: t.Unplaced, abi.HeapHeldEndRemains: t.Remains, abi.HeapHeldEndFailed: t.Failed,
	}
	if t.failed {
		words[abi.HeapHeldEndFailedNow] = 1
	}
	var data []byte
	for _, word := range words {
		data = binary.LittleEndian.AppendUint64(data, uint64(word))
	}
	put(abi.EventHeapHeldEnd, data)
}

func (t *Table) putDoubts(walk uint32, put func(kind uint16, data []byte)) {
	for some := range slices.Chunk(slices.Sorted(maps.Keys(t.doubts.orders)), doubtsMost) {
		data, before := binary.LittleEndian.AppendUint32(nil, walk), uint32(0)
		for _, order := range some {
			code := uint64(order-before) << 1
			if t.doubts.orders[order] == shared {
				code |= 1
			}
			data, before = binary.AppendUvarint(data, code), order
		}
		put(abi.EventHeapDoubts, data)
	}
}

// heldWriter makes events of objects, the fewer the more of them come in the order of addresses.
type heldWriter struct {
	walk    uint32
	pause   int32
	numbers Numbers
	put     func(kind uint16, data []byte)
	all     int64  // objects so far
	data    []byte // of an event

	heldEvent
}

// heldEvent is one that is being made.
type heldEvent struct {
	objects int
	place   Object // the first one of it
	behind  uint64 // address behind the last one
	order   uint32 // that came last
	follows foreseen
	columns [heldColumns][]byte
}

// The columns of abi.EventHeapHeld.
const (
	heldClasses = iota
	heldWords
	heldOrders
	heldFlags
	heldAges
	heldColumns
)

// column adds a number to one.
func (e *heldEvent) column(i int, n uint64) { e.columns[i] = binary.AppendUvarint(e.columns[i], n) }

// hasRoom reports whether an object can be in the event.
func (e *heldEvent) hasRoom(o *Object) bool {
	return e.objects > 0 && e.objects < heldMost && o.Space == e.place.Space && o.Region == e.place.Region &&
		(o.Address == 0) == (e.place.Address == 0) && o.Address >= e.behind &&
		(o.Address-e.behind)/8 <= math.MaxUint32
}

func (w *heldWriter) add(o *Object) {
	if !w.hasRoom(o) {
		w.end()
		w.place, w.behind = *o, o.Address
	}
	number, bytes := w.numbers(o.Class)
	code := w.follows.write(number) << 1
	if gap := (o.Address - w.behind) / 8; gap > 0 {
		w.column(heldClasses, code|1)
		w.column(heldClasses, gap)
	} else {
		w.column(heldClasses, code)
	}
	if bytes == 0 {
		w.column(heldWords, uint64(o.Words))
	}
	if difference := int64(o.Order) - int64(w.order); o.Order == 0 {
		w.column(heldOrders, 0)
	} else {
		w.column(heldOrders, 1+(uint64(difference<<1)^uint64(difference>>63)))
		w.order = o.Order
	}
	w.column(heldFlags, o.flags(w.pause))
	if code, has := o.ageCode(); has {
		w.column(heldAges, code)
	}
	if o.Address != 0 {
		w.behind = o.Address + 8*uint64(o.Words)
	}
	w.objects++
	w.all++
}

// end puts the event, if there is one.
func (w *heldWriter) end() {
	if w.objects == 0 {
		return
	}
	data := w.data[:0]
	for _, field := range [...]uint32{abi.HeapHeldWalk / 4: w.walk, abi.HeapHeldSpace / 4: uint32(w.place.Space),
		abi.HeapHeldRegion / 4: w.place.Region, abi.HeapHeldObjects / 4: uint32(w.objects)} {
		data = binary.LittleEndian.AppendUint32(data, field)
	}
	data = binary.LittleEndian.AppendUint64(data, w.place.Address)
	for _, column := range w.columns {
		data = append(data, column...)
	}
	w.put(abi.EventHeapHeld, data)
	w.data = data
	columns := w.columns
	for i := range columns {
		columns[i] = columns[i][:0]
	}
	w.heldEvent = heldEvent{columns: columns}
}
