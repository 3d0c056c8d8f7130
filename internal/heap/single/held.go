package single

import (
	"encoding/binary"
	"math"

	"mallard/internal/abi"
)

// heldMost is how many objects an event has at most.
const heldMost = 1 << 14

// held has what a keyframe says of objects that are held.
func (w *Walk) held() *Held {
	if w.Held == nil {
		w.Held = &Held{doubts: newDoubts()}
	}
	return w.Held
}

// AddHeld takes an event of abi.EventHeapHeld, of a keyframe behind the walk. As Add.
func (w *Walk) AddHeld(data []byte, d *Decoder) bool {
	objects := &w.held().objects
	before := objects.n
	if !w.decodeHeld(data, d, objects) {
		objects.truncate(nil, before)
		w.Undecoded++
		return false
	}
	w.added(objects.n - before)
	return true
}

// decodeHeld appends objects.
func (w *Walk) decodeHeld(data []byte, d *Decoder, objects *pieces[Object]) (good bool) {
	if len(data) < abi.HeapHeldColumns {
		return false
	}
	field := func(offset int) uint32 { return binary.LittleEndian.Uint32(data[offset:]) }
	space, n := field(abi.HeapHeldSpace), int(field(abi.HeapHeldObjects))
	in := values{rest: data[abi.HeapHeldColumns:]}
	if field(abi.HeapHeldWalk) != w.Number || space >= abi.HeapSpaces || n > min(heldMost, len(in.rest)) {
		return false
	}
	address := binary.LittleEndian.Uint64(data[abi.HeapHeldAddress:])
	first, follows := objects.n, foreseen{}
	sizes := make([]uint32, n) // bytes; 0: they differ
	gaps := make([]uint32, n)  // words before an object
	for i := range n {
		code := in.next(math.MaxUint32<<1 | 1)
		if code&1 != 0 {
			gaps[i] = uint32(in.next(math.MaxUint32))
		}
		of, known := d.at(follows.read(code >> 1))
		if in.bad || !known {
			return false
		}
		sizes[i] = of.bytes
		objects.add(nil, Object{Class: of.index, Space: uint8(space), Region: field(abi.HeapHeldRegion)})
	}
	for i := range n {
		o := objects.at(first + i)
		if o.Words = sizes[i] / 8; sizes[i] == 0 {
			o.Words = uint32(in.next(math.MaxUint32))
		}
		if o.Words == 0 {
			return false
		}
		if address == 0 { // nobody knows where they are
			continue
		}
		if o.Address = address + 8*uint64(gaps[i]); o.Address > math.MaxInt64 {
			return false
		}
		address = o.Address + 8*uint64(o.Words)
	}
	for i, order := 0, int64(0); i < n; i++ {
		code := in.next(1 << 33)
		if code == 0 {
			continue
		}
		code--
		if order += int64(code>>1) ^ -int64(code&1); order <= 0 || order > int64(d.orders) {
			return false
		}
		objects.at(first + i).Order = uint32(order)
	}
	for i := range n {
		objects.at(first + i).know(in.next(math.MaxUint32<<abi.HeapHeldMoves | (1<<abi.HeapHeldMoves - 1)))
	}
	isBefore := len(in.rest) == 0 // a recording without ages in old spaces
	for i := range n {
		if o := objects.at(first + i); !o.IsOld() || !isBefore {
			o.readAge(&in)
		}
	}
	return !in.bad && len(in.rest) == 0
}

// ageCode is what a keyframe says of an age, if it says anything.
func (o *Object) ageCode() (code uint64, has bool) {
	age, known := o.PromotedAge()
	switch {
	case o.Space == abi.HeapSurvivor:
		return uint64(o.Age), true
	case known:
		return 1 + uint64(age), true
	}
	return 0, o.IsOld() && o.isPromoted()
}

// readAge reads such a code, where an object has one.
func (o *Object) readAge(in *values) {
	switch {
	case o.Space == abi.HeapSurvivor:
		o.Age = uint8(in.next(abi.HeapAges - 1))
	case o.IsOld() && o.Promoted == Earlier:
		if code := in.next(abi.HeapAges); code > 0 {
			o.Age = uint8(code - 1)
		}
	}
}

// know takes what a keyframe says of an object, whose pause is the first one of which anything is known.
func (o *Object) know(flags uint64) {
	o.Born, o.Promoted, o.Moves = Earlier, Unknown, uint32(flags>>abi.HeapHeldMoves)
	switch {
	case flags&abi.HeapHeldNew != 0:
		o.Born = 0
	case flags&abi.HeapHeldUnknown != 0:
		o.Born = Unknown
	}
	if flags&abi.HeapHeldPromoted != 0 {
		o.Promoted, o.Age = Earlier, NoAge
	}
	o.Settled = flags&abi.HeapHeldSettled != 0
}

// isPromoted reports whether an object was promoted before a keyframe: what has come to the old generation, nobody
// knows when, has done so before that.
func (o *Object) isPromoted() bool { return o.Promoted != Unknown || o.Born == Unknown && o.IsOld() }

// flags is what a keyframe behind the walk of a pause says of an object.
func (o *Object) flags(pause int32) uint64 {
	flags := uint64(o.Moves) << abi.HeapHeldMoves
	switch o.Born {
	case pause:
		flags |= abi.HeapHeldNew
	case Unknown:
		flags |= abi.HeapHeldUnknown
	}
	if o.isPromoted() {
		flags |= abi.HeapHeldPromoted
	}
	if o.Settled {
		flags |= abi.HeapHeldSettled
	}
	return flags
}

// AddDoubts takes an event of abi.EventHeapDoubts. As Add.
func (w *Walk) AddDoubts(data []byte, d *Decoder) bool {
	if len(data) < abi.HeapDoubtsOrders || binary.LittleEndian.Uint32(data[abi.HeapDoubtsWalk:]) != w.Number {
		w.Undecoded++
		return false
	}
	held := w.held()
	in := values{rest: data[abi.HeapDoubtsOrders:]}
	for order := uint64(0); len(in.rest) > 0; {
		code := in.next(math.MaxUint32)
		if order += code >> 1; in.bad || order == 0 || order > uint64(d.orders) {
			w.Undecoded++
			return false
		}
		why := foreign
		if code&1 != 0 {
			why = shared
		}
		held.doubts.set(uint32(order), why)
	}
	return true
}

// FinishHeld takes an event of abi.EventHeapHeldEnd; false: it is damaged, or of another walk.
func (w *Walk) FinishHeld(data []byte) bool {
	var words [abi.HeapHeldEndWords]int64
	if !readWords(words[:], data, abi.HeapHeldEndUnplaced) || words[abi.HeapHeldEndWalk] != int64(w.Number) {
		return false
	}
	w.held().gaps = Gaps{Late: words[abi.HeapHeldEndLate], Unordered: words[abi.HeapHeldEndUnordered],
		Unseen: words[abi.HeapHeldEndUnseen], LeftOut: words[abi.HeapHeldEndAllLeft],
		Unplaced: words[abi.HeapHeldEndUnplaced], Remains: words[abi.HeapHeldEndRemains],
		Failed: words[abi.HeapHeldEndFailed], Shared: words[abi.HeapHeldEndShared],
		Again: words[abi.HeapHeldEndAgain]}
	w.held().failed = words[abi.HeapHeldEndFailedNow] != 0
	w.Ended = true
	w.End = End{Events: w.Events, Objects: words[abi.HeapHeldEndObjects], LeftOut: words[abi.HeapHeldEndLeftOut],
		Given: words[abi.HeapHeldEndGiven]}
	return true
}

// foreseen says which class comes behind another one in an event.
type foreseen struct {
	before uint32
	after  [1 << abi.HeapHeldBits]uint32
}

func (f *foreseen) next() *uint32 { return &f.after[f.before&(1<<abi.HeapHeldBits-1)] }

// read gives the class of the next object by its code.
func (f *foreseen) read(code uint64) uint32 {
	next := f.next()
	if code > 0 {
		*next = uint32(code - 1)
	}
	f.before = *next
	return *next
}

// write gives the code for a class.
func (f *foreseen) write(class uint32) (code uint64) {
	next := f.next()
	if f.before = class; *next == class {
		return 0
	}
	*next = class
	return uint64(class) + 1
}
