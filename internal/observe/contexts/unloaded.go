package contexts

import (
	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/trace"
)

// unloaded is the methods of classes that were unloaded. Their numbers, and with these their nodes, are used again
// ([calltree.Arena.Reuse]): when contexts have been recorded for the last time that end in them or go through them,
// those nodes are emptied, and the numbers are free for the methods of another class that has the same shape.
type unloaded struct {
	waiting []methodRange // of which something may not be recorded yet
	last    trace.ClassID // a version of the last of their classes
	free    map[calltree.Shape][]calltree.MethodID
	bits    [1 << abi.ShapeBits]int // how many are free of the shapes of each bit
}

// methodRange is the methods of a class: all that it numbered, in a row.
type methodRange struct {
	first calltree.MethodID
	n     int
}

func (r methodRange) end() calltree.MethodID { return r.first + calltree.MethodID(r.n) }

// put notes that numbers can be used again, from the first one on, by methods of a shape.
func (u *unloaded) put(first calltree.MethodID, shape calltree.Shape, bit int) {
	if u.free == nil {
		u.free = map[calltree.Shape][]calltree.MethodID{}
	}
	u.free[shape] = append(u.free[shape], first)
	u.bits[bit]++
}

// take gives the first of the numbers that methods of a shape had, those whose nodes threads have used last; false
// where there are none.
func (u *unloaded) take(shape calltree.Shape, bit int) (first calltree.MethodID, ok bool) {
	list := u.free[shape]
	if len(list) == 0 {
		return 0, false
	}
	last := len(list) - 1
	first, u.free[shape] = list[last], list[:last]
	if last == 0 {
		delete(u.free, shape)
	}
	u.bits[bit]--
	return first, true
}

// shapes is what the agent is told of the shapes that there are.
func (u *unloaded) shapes() (bits uint64) {
	for i, n := range u.bits {
		if n > 0 {
			bits |= 1 << i
		}
	}
	return bits
}
