package contexts

import (
	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/trace"
)

// unloaded is the methods of classes that were unloaded. Their numbers, and with these their nodes, are used again
// ([calltree.Arena.Reuse]): when contexts have been recorded for the last time that end in them or go through them,
// those nodes are emptied, and the numbers are free for the methods of another class that has the same shape. Where too
// many are free whose shape does not come again, they are free one by one for methods of the same shape.
type unloaded struct {
	waiting []methodRange // of which something may not be recorded yet
	last    trace.ClassID // a version of the last of their classes
	free    map[calltree.Shape][]methodRange
	bits    [1 << abi.ShapeBits]int // how many are free of the shapes of each bit
	methods int                     // how many those have

	single  map[calltree.MethodShape][]calltree.MethodID
	singles int // how many these are
}

// Bounds of how many methods are free in vain: beyond the first, they are no longer kept for their shape; beyond the
// second, the agent takes no new numbers by itself for classes out of the class cache.
const (
	mostKept    = 4096
	mostSingles = 1024
)

// methodRange is methods of a class that have numbers in a row.
type methodRange struct {
	first calltree.MethodID
	n     int
}

func (r methodRange) end() calltree.MethodID { return r.first + calltree.MethodID(r.n) }

// put notes that numbers can be used again by methods of a shape.
func (u *unloaded) put(r methodRange, shape calltree.Shape, bit int) {
	if u.free == nil {
		u.free = map[calltree.Shape][]methodRange{}
	}
	u.free[shape] = append(u.free[shape], r)
	u.bits[bit]++
	u.methods += r.n
}

// take gives the first of the numbers that methods of a shape had, those whose nodes threads have used last; false
// where there are none.
func (u *unloaded) take(shape calltree.Shape, bit int) (first calltree.MethodID, ok bool) {
	list := u.free[shape]
	if len(list) == 0 {
		return 0, false
	}
	last := len(list) - 1
	r := list[last]
	u.free[shape] = list[:last]
	if last == 0 {
		delete(u.free, shape)
	}
	u.bits[bit]--
	u.methods -= r.n
	return r.first, true
}

// separate makes all numbers free one by one that are kept for their shape.
func (u *unloaded) separate(shapeOf func(calltree.MethodID) calltree.MethodShape) {
	if u.single == nil {
		u.single = map[calltree.MethodShape][]calltree.MethodID{}
	}
	for _, list := range u.free {
		for _, r := range list {
			for id := r.first; id < r.end(); id++ {
				s := shapeOf(id)
				u.single[s] = append(u.single[s], id)
			}
		}
	}
	u.singles += u.methods
	u.free, u.bits, u.methods = nil, [1 << abi.ShapeBits]int{}, 0
}

// takeOne gives a number that a method of a shape had; false where there is none.
func (u *unloaded) takeOne(shape calltree.MethodShape) (id calltree.MethodID, ok bool) {
	list := u.single[shape]
	if len(list) == 0 {
		return 0, false
	}
	last := len(list) - 1
	id, u.single[shape] = list[last], list[:last]
	u.singles--
	return id, true
}

// shapes is what the agent is told of the shapes that there are.
func (u *unloaded) shapes() (bits uint64) {
	if u.singles > mostSingles {
		return 1<<(1<<abi.ShapeBits) - 1
	}
	for i, n := range u.bits {
		if n > 0 {
			bits |= 1 << i
		}
	}
	return bits
}
