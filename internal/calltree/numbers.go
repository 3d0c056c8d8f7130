package calltree

import (
	"sync/atomic"

	"mallard/internal/abi"
)

// Numbers of methods and calls, and words for overflow nodes, are given out by words of the arena: the agent takes some
// as well, for classes out of the class cache.

// numbers takes n numbers in a row from a word; false if there are not so many.
func (a *Arena) numbers(word int, n uint32) (first uint32, ok bool) {
	for {
		now := atomic.LoadUint64(a.header(word))
		first, end := uint32(now), uint32(now>>abi.ReservedEndShift)
		if first > end || end-first < n {
			return 0, false
		}
		if atomic.CompareAndSwapUint64(a.header(word), now, now+uint64(n)) {
			return first, true
		}
	}
}

// taken is the first number of a word that nobody has taken.
func (a *Arena) taken(word int) uint32 { return uint32(atomic.LoadUint64(a.header(word))) }

// Named gives names numbers, from abi.FirstName on, before any other has one: those of the class cache. They are asked
// for when one is to be numbered that may be among them.
func (a *Arena) Named(n int, names func() []string) {
	if n > 0 {
		a.names.next, a.names.earlier = abi.FirstName+uint32(n), names
	}
}
