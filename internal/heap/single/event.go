package single

import (
	"encoding/binary"
	"math"

	"mallard/internal/abi"
)

// eventReader is at a place in one of abi.EventHeapSingles.
type eventReader struct {
	decoder *Decoder
	walk    uint32
	at      span   // of objects that follow
	behind  uint64 // words behind its address, where the next one is
	marked  marks  // all of them
	flags   []byte // two bits for each
	in      values // of those that follow
	i, n    int    // the next one; how many there are
	before  uint32 // number of the class of the one before
	order   uint32 // of the last one before that had one
	next    uint32 // that the next new one is given
	group   group  // where they have no addresses
}

// group is objects of one class and size whose orders follow each other.
type group struct {
	class int32
	words uint32
	left  int // objects that have not been read
}

// open begins to read an event; false: it is damaged.
func (d *Decoder) open(data []byte) (e eventReader, good bool) {
	if len(data) < abi.HeapSinglesFlags {
		return eventReader{}, false
	}
	field := func(offset int) uint32 { return binary.LittleEndian.Uint32(data[offset:]) }
	space, origin, n := field(abi.HeapSinglesSpace), field(abi.HeapSinglesOrigin), field(abi.HeapSinglesObjects)
	given, flags := field(abi.HeapSinglesOrder), int(n+3)/4
	address := binary.LittleEndian.Uint64(data[abi.HeapSinglesAddress:])
	if address == 0 {
		flags = 0
	}
	if space >= abi.HeapSpaces || origin > abi.HeapMoved || n > abi.HeapSinglesMost || given > d.orders ||
		len(data)-abi.HeapSinglesFlags < flags || address == 0 && (space != abi.HeapEden || origin != abi.HeapBorn) {
		return eventReader{}, false
	}
	d.events++
	e = eventReader{decoder: d, walk: field(abi.HeapSinglesWalk), n: int(n), order: given, next: given%d.orders + 1,
		at: span{address: address, region: field(abi.HeapSinglesRegion), space: uint8(space),
			moved: origin == abi.HeapMoved},
		flags: data[abi.HeapSinglesFlags:][:flags], in: values{rest: data[abi.HeapSinglesFlags+flags:]}}
	if e.at.moved {
		e.marked = isMoved
	}
	return e, true
}

// left is how many objects have not been read.
func (e *eventReader) left() int { return e.n - e.i }

// ended reports whether nothing is behind the last one.
func (e *eventReader) ended() bool { return len(e.in.rest) == 0 }

// read gives the objects that follow, as many as there is room for and are in one span; false: the event is damaged.
func (e *eventReader) read(to []packed) (c chunk, good bool) {
	if e.at.address == 0 {
		return e.readGroups(to[:min(len(to), e.left())])
	}
	if e.behind > farthest {
		e.at.address, e.behind = e.at.address+8*e.behind, 0
	}
	d, in, order, behind := e.decoder, e.in, e.order, e.behind
	of := &d.known[e.before]
	objects := to[:min(len(to), e.left())]
	for k := range objects {
		if behind > farthest {
			objects = objects[:k]
			break
		}
		flags := e.flags[e.i/4] >> (e.i % 4 * 2)
		e.i++
		if flags&abi.HeapSinglesFollows == 0 {
			e.before = uint32(in.next(abi.HeapClasses - 1))
			of.follower = follower{d.events, e.before}
			if of = d.class(e.before); of == nil {
				return chunk{}, false
			}
		} else if of.follower.event != d.events {
			return chunk{}, false
		} else {
			e.before = of.follower.class
			of = &d.known[e.before]
		}
		words := uint64(of.bytes / 8)
		if of.differ {
			words = in.next(math.MaxUint32)
		}
		o := packed{words: uint32(words), class: of.index, rest: e.marked | uint32(behind)<<behindBit}
		if flags&abi.HeapSinglesNext != 0 {
			o.order = order + 1
		} else if code := in.next(1 << 33); code > 0 {
			code--
			o.order = uint32(int64(order) + (int64(code>>1) ^ -int64(code&1)))
		}
		if e.at.space == abi.HeapSurvivor {
			o.rest |= uint32(in.next(abi.HeapAges-1)) << ageBit
		}
		if words == 0 || o.order > d.orders || e.at.address+8*behind > math.MaxInt64 {
			return chunk{}, false
		}
		if o.order == e.next {
			o.rest |= isNew
			c.new++
			if e.next++; e.next > d.orders {
				e.next = 1
			}
		}
		if o.order != 0 {
			order = o.order
		}
		behind += words
		objects[k] = o
	}
	e.in, e.order, e.behind = in, order, behind
	c.in, c.objects = &e.at, objects
	return c, !in.bad
}

// readGroups gives the objects that follow where they have no addresses.
func (e *eventReader) readGroups(to []packed) (c chunk, good bool) {
	for k := range to {
		order, good := uint32(0), true
		if e.group.left == 0 {
			if order, good = e.begin(); !good {
				return chunk{}, false
			}
		}
		o := packed{words: e.group.words, class: e.group.class, order: order}
		if e.group.left > 0 {
			e.group.left--
			o.order, o.rest = e.next, isNew
			c.new++
			if e.next++; e.next > e.decoder.orders {
				e.next = 1
			}
		}
		e.i++
		to[k] = o
	}
	c.in, c.objects = &e.at, to
	return c, true
}

// begin reads what the next group is of, and where it is of one object alone, whose order is not new, that; false: the
// event is damaged.
func (e *eventReader) begin() (order uint32, good bool) {
	of := e.decoder.class(uint32(e.in.next(abi.HeapClasses - 1)))
	if of == nil {
		return 0, false
	}
	words := uint64(of.bytes / 8)
	if of.differ {
		words = e.in.next(math.MaxUint32)
	}
	n := int(e.in.next(abi.HeapSinglesMost))
	if n == 0 {
		order = uint32(e.in.next(uint64(e.decoder.orders)))
	}
	e.group = group{of.index, uint32(words), n}
	return order, !e.in.bad && words > 0 && n <= e.left()
}
