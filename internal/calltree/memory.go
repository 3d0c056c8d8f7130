package calltree

import (
	"sync/atomic"

	"mallard/internal/abi"
)

// Memory is what an arena has given away, in bytes.
type Memory struct {
	Taken  uint64 // in all
	Epochs int    // where contexts are encoded, else 0; all below too
	Calls  int    // that have constants in the last epoch
	Graph  uint64 // for calls, in all epochs
	Anchors,
	AnchorBytes uint64
}

// Full reports whether a thread that wants more memory may get none.
func (a *Arena) Full() bool {
	return atomic.LoadUint64(a.word(a.layout.Top))+abi.LastChunkBytes > atomic.LoadUint64(a.word(a.layout.Limit))
}

// Short reports whether a thread may have got none: it asks for as much as its chunks and its table together at most,
// which are of what is taken.
func (a *Arena) Short() bool {
	taken := atomic.LoadUint64(a.word(a.layout.Top)) - a.layout.Chunks
	return a.Full() || 3*taken > atomic.LoadUint64(a.word(a.layout.Limit))-a.layout.Chunks
}

// Memory looks at the arena.
func (a *Arena) Memory() Memory {
	m := Memory{Taken: atomic.LoadUint64(a.word(a.layout.Top)) - a.layout.Chunks}
	if a.layout.Additions != 0 {
		m.Epochs, m.Calls, m.Anchors = a.Epoch(), a.constants, a.Anchors()
		m.AnchorBytes = abi.AnchorBytes * m.Anchors // threads have taken as much for them
		table := abi.AdditionBytes * uint64(a.taken(abi.ArenaCalls))
		m.Graph = a.code + table
		m.Taken += table
	}
	return m
}
