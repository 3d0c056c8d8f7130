package single

import (
	"iter"
	"math"
	"sort"

	"mallard/internal/abi"
)

// Seen is an object as a walk has found it.
type Seen struct {
	Object
	Moved bool // by the collector, since the walk before; else born there
	New   bool // its order was given by this walk
}

// list is objects of a walk, in the order in which it has found them.
type list struct {
	pieces[packed]
	spans []span
}

// packed is what one object does not have in common with those around it.
type packed struct {
	order, words uint32
	class        int32
	rest         uint32 // marks; from ageBit on its age; from behindBit on words that it is behind its span's address
}

// marks are the lowest bits.
type marks = uint32

const (
	isMoved marks = 1 << iota
	isNew
)

// has reports whether the object has one of some marks.
func (p *packed) has(m marks) bool { return p.rest&m != 0 }

const (
	ageBit    = 2
	behindBit = 6
)

// span is objects in one place, one behind the other.
type span struct {
	first   int // object
	address uint64
	region  uint32
	space   uint8
	moved   bool // by the collector, all of them
}

// farthest is how many words an object can be behind the address of its span.
const farthest = math.MaxUint32 >> behindBit

// begin has objects that follow be in a span.
func (l *list) begin(s span) {
	if n := len(l.spans); n > 0 {
		if s.first = l.spans[n-1].first; s == l.spans[n-1] {
			return
		}
	}
	s.first = l.n
	l.spans = append(l.spans, s)
}

// truncate leaves the first objects.
func (l *list) truncate(to *pool[packed], n int) {
	l.pieces.truncate(to, n)
	l.spans = l.spans[:sort.Search(len(l.spans), func(i int) bool { return l.spans[i].first >= n })]
}

// object is as it was seen.
func (p *packed) object(in *span) (o Object) {
	o.Born, o.Promoted = Unknown, Unknown
	p.in(in, &o)
	return o
}

// in says of an object what is known of it here.
func (p *packed) in(s *span, o *Object) {
	o.Address, o.Region, o.Space = s.address+8*uint64(p.rest>>behindBit), s.region, s.space
	o.Order, o.Words, o.Class, o.Age = p.order, p.words, p.class, uint8(p.rest>>ageBit%abi.HeapAges)
}

// chunk is objects that are behind each other in memory, and in one span.
type chunk struct {
	in      *span
	objects []packed
	new     uint32 // how many of an event's isNew
}

// chunks gives objects, in order.
func (l *list) chunks(from, to int) iter.Seq[chunk] {
	return func(yield func(chunk) bool) {
		s := sort.Search(len(l.spans), func(i int) bool { return l.spans[i].first > from }) - 1
		for i := from; i < to; s++ {
			in, end := &l.spans[s], to
			if s+1 < len(l.spans) {
				end = min(to, l.spans[s+1].first)
			}
			for i < end {
				piece := l.pieces.list[i/pieceLength][i%pieceLength:]
				piece = piece[:min(len(piece), end-i)]
				if !yield(chunk{in: in, objects: piece}) {
					return
				}
				i += len(piece)
			}
		}
	}
}
