package single

import (
	"encoding/binary"
	"iter"
	"math"

	"mallard/internal/abi"
)

// Classes says of a class, by its number in the recording, which it is, and how many bytes its objects have: 0 where
// they differ. False: nobody knows.
type Classes func(number uint32) (class int32, bytes uint32, known bool)

// Decoder reads events. What Classes says of one must not change, unless it is told to forget that.
type Decoder struct {
	classes Classes
	known   []class // by number, up to the highest one that is
	events  uint32  // begun
	orders  uint32  // that there are
	pool    pool[packed]
}

// class is what is known of one.
type class struct {
	index    int32
	bytes    uint32
	known    bool
	differ   bool // its objects, in size
	follower follower
}

// follower is the class that followed another, in an event.
type follower struct{ event, class uint32 }

// NewDecoder makes one.
func NewDecoder(classes Classes) *Decoder {
	return &Decoder{orders: abi.OrderMask, classes: classes, known: make([]class, 1)}
}

// class looks one up; nil: nobody knows it.
func (d *Decoder) class(number uint32) *class {
	if number < uint32(len(d.known)) && d.known[number].known {
		return &d.known[number]
	}
	index, bytes, known := d.classes(number)
	if !known {
		return nil
	}
	if more := int(number) + 1 - len(d.known); more > 0 {
		d.known = append(d.known, make([]class, more)...)
	}
	of := &d.known[number]
	of.index, of.bytes, of.known, of.differ = index, bytes, true, bytes == 0 || number == abi.HeapOthers
	return of
}

// at looks one up whose number may be higher than the agent's are.
func (d *Decoder) at(number uint32) (class, bool) {
	if number < abi.HeapClasses {
		if of := d.class(number); of != nil {
			return *of, true
		}
		return class{}, false
	}
	index, bytes, known := d.classes(number)
	return class{index: index, bytes: bytes, known: known}, known
}

// Forget has what a number stands for asked again.
func (d *Decoder) Forget(number uint32) {
	if number < uint32(len(d.known)) {
		d.known[number].known = false
	}
}

// Walk is what a walk has told so far.
type Walk struct {
	Number    uint32
	Events    int64
	Objects   int64 // in them
	End       End   // zero before it has come
	Ended     bool
	Undecoded int64 // events that are damaged, or lack a class
	Held      *Held // where its objects are those of a keyframe behind it; else nil

	list list
	pool *pool[packed] // from which it is; nil: nothing is in it
}

// End is what the agent says of a walk's single objects.
type End struct {
	Events, Objects int64
	LeftOut         int64 // for want of room
	Unordered       int64 // that had no order yet
	Given           int64 // orders, since the start
}

// IsWhole reports whether all that the walk has read is in it.
func (w *Walk) IsWhole() bool {
	return w.Ended && w.End.LeftOut == 0 && w.Undecoded == 0 && w.Events == w.End.Events && w.Objects == w.End.Objects
}

// Add takes an event of abi.EventHeapSingles. False: it is damaged, or of another walk; then it has changed nothing but
// a count. What it takes of memory is in proportion to the data.
func (w *Walk) Add(data []byte, d *Decoder) bool {
	before := w.list.n
	w.pool = &d.pool
	if !w.decode(data, d) {
		w.list.truncate(w.pool, before)
		w.Undecoded++
		return false
	}
	w.added(w.list.n - before)
	return true
}

// added counts an event and its objects.
func (w *Walk) added(objects int) {
	w.Events++
	w.Objects += int64(objects)
}

// decode appends to the list.
func (w *Walk) decode(data []byte, d *Decoder) (good bool) {
	if len(data) < abi.HeapSinglesFlags {
		return false
	}
	field := func(offset int) uint32 { return binary.LittleEndian.Uint32(data[offset:]) }
	space, origin, n := field(abi.HeapSinglesSpace), field(abi.HeapSinglesOrigin), field(abi.HeapSinglesObjects)
	given, flags := field(abi.HeapSinglesOrder), int(n+3)/4
	if field(abi.HeapSinglesWalk) != w.Number || space >= abi.HeapSpaces || origin > abi.HeapMoved ||
		n > abi.HeapSinglesMost || given > d.orders || len(data)-abi.HeapSinglesFlags < flags {
		return false
	}
	at := span{address: binary.LittleEndian.Uint64(data[abi.HeapSinglesAddress:]),
		region: field(abi.HeapSinglesRegion), space: uint8(space), moved: origin == abi.HeapMoved}
	w.list.begin(w.list.n, at)
	marked := marks(0)
	if at.moved {
		marked = isMoved
	}
	d.events++
	flagged := data[abi.HeapSinglesFlags:][:flags]
	in := values{rest: data[abi.HeapSinglesFlags+flags:]}
	of, order, next, behind := &d.known[0], given, given%d.orders+1, uint64(0)
	for i := 0; i < int(n); {
		first := w.list.n
		list := w.list.extend(w.pool, int(n)-i)
		for k := range list {
			flags := flagged[i/4] >> (i % 4 * 2)
			i++
			if flags&abi.HeapSinglesFollows == 0 {
				number := uint32(in.next(abi.HeapClasses - 1))
				of.follower = follower{d.events, number}
				if of = d.class(number); of == nil {
					return false
				}
			} else if of.follower.event != d.events {
				return false
			} else {
				of = &d.known[of.follower.class]
			}
			words := uint64(of.bytes / 8)
			if of.differ {
				words = in.next(math.MaxUint32)
			}
			o := packed{words: uint32(words), class: of.index, rest: marked}
			if flags&abi.HeapSinglesNext != 0 {
				o.order = order + 1
			} else if code := in.next(1 << 33); code > 0 {
				code--
				o.order = uint32(int64(order) + (int64(code>>1) ^ -int64(code&1)))
			}
			if space == abi.HeapSurvivor {
				o.rest |= uint32(in.next(abi.HeapAges-1)) << ageBit
			}
			if words == 0 || o.order > d.orders || at.address+8*behind > math.MaxInt64 {
				return false
			}
			if o.order == next {
				o.rest |= isNew
				if next++; next > d.orders {
					next = 1
				}
			}
			if o.order != 0 {
				order = o.order
			}
			if behind > farthest {
				at.address, behind = at.address+8*behind, 0
				w.list.begin(first+k, at)
			}
			o.rest |= uint32(behind) << behindBit
			behind += words
			list[k] = o
		}
	}
	return !in.bad && len(in.rest) == 0
}

// values are numbers in LEB128.
type values struct {
	rest []byte
	bad  bool // one was missing, or too large
}

// next gives the next one, most of which have one byte. What it gives behind a bad one means nothing.
func (v *values) next(most uint64) uint64 {
	if len(v.rest) > 0 && v.rest[0] < 0x80 && uint64(v.rest[0]) <= most {
		n := v.rest[0]
		v.rest = v.rest[1:]
		return uint64(n)
	}
	return v.long(most)
}

func (v *values) long(most uint64) uint64 {
	n, length := binary.Uvarint(v.rest)
	if v.bad = v.bad || length <= 0 || n > most; v.bad {
		return 0
	}
	v.rest = v.rest[length:]
	return n
}

// All gives the objects, in the order of events, each until the next one.
func (w *Walk) All() iter.Seq[*Seen] {
	return func(yield func(*Seen) bool) {
		for c := range w.list.chunks() {
			for k := range c.objects {
				p := &c.objects[k]
				if !yield(&Seen{p.object(c.in), p.has(isMoved), p.has(isNew)}) {
					return
				}
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

// free gives the objects' memory to walks that follow.
func (w *Walk) free() {
	if w.pool != nil {
		w.list.truncate(w.pool, 0)
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
	if len(data) != 8*abi.HeapSinglesEndWords {
		return End{}, 0, false
	}
	var words [abi.HeapSinglesEndWords]int64
	for i := range words {
		if words[i] = int64(binary.LittleEndian.Uint64(data[8*i:])); words[i] < 0 {
			return End{}, 0, false
		}
	}
	return End{Events: words[abi.HeapSinglesEndEvents], Objects: words[abi.HeapSinglesEndObjects],
		LeftOut: words[abi.HeapSinglesEndLeftOut], Unordered: words[abi.HeapSinglesEndUnordered],
		Given: words[abi.HeapSinglesEndGiven]}, words[abi.HeapSinglesEndWalk], true
}

// WalkOf is the number of the walk that an event, of either kind, is of.
func WalkOf(data []byte) (number uint32, good bool) {
	if len(data) < 4 {
		return 0, false
	}
	return binary.LittleEndian.Uint32(data), true
}
