package calltree

import "mallard/internal/abi"

// A Thread is a thread's own words for its tree; see java.lang.$Mallard.
type Thread struct {
	Next             Entry  // by what the next method is entered
	Free, End, Chunk uint64 // the rest of the last chunk, or of the last span, and that chunk
	Spans            uint64 // memory that nodes have had before ([Arena.Reclaim])
	Root             Entry  // by what is entered what the VM calls
	// of hashes: its offset, a multiple of 64, and the binary logarithm of half the number of its pairs
	Table       uint64
	Hashes      uint64 // in the table
	Turn        uint64 // which turn of the tree it is
	Transaction Node   // the innermost that one of its invocations has begun, 0 for none
	Inside      Node   // the innermost that it has entered itself, 0 for none
}

// table gives the offset of a thread's table, and the binary logarithm of half the number of its pairs.
func (t *Thread) table() (Node, uint64) {
	return Node(t.Table &^ abi.TableLogMask), t.Table & abi.TableLogMask
}
