package contexts

import "mallard/internal/calltree"

// Most contexts of a program are those of its start, in which nothing is counted any more. A record of a context says
// all that was counted in it, so what has not changed since the last one need not be recorded again, but for keyframes,
// for who ends, and where records were given up: there all is.

// unchanged knows what was recorded last of nodes, as hashes. Two totals of a context have the same with a probability
// of 2^-31; the last record of all makes up for that.
type unchanged struct {
	pages   map[calltree.Node]*[unchangedNodes]uint32
	dropped uint64 // records that the recording had given up when a round began
}

// A node takes five words of 8 bytes at least, so that no two of them are in one 32 bytes.
const (
	unchangedShift = 5
	unchangedNodes = 1 << 12 // in a page
)

func newUnchanged() unchanged {
	return unchanged{pages: map[calltree.Node]*[unchangedNodes]uint32{}}
}

// is reports whether a node has the hash that it had when it was recorded last, and remembers it.
func (u *unchanged) is(n calltree.Node, hash uint64) bool {
	at := n >> unchangedShift
	page := u.pages[at/unchangedNodes]
	if page == nil {
		page = new([unchangedNodes]uint32)
		u.pages[at/unchangedNodes] = page
	}
	short := uint32(hash>>32) | 1
	known := &page[at%unchangedNodes]
	same := *known == short
	*known = short
	return same
}

// forget has a node be recorded again.
func (u *unchanged) forget(n calltree.Node) {
	at := n >> unchangedShift
	if page := u.pages[at/unchangedNodes]; page != nil {
		page[at%unchangedNodes] = 0
	}
}

// mix adds a word to a hash.
func mix(hash, word uint64) uint64 {
	const golden = 0x9e3779b97f4a7c15
	hash = (hash ^ word) * golden
	return hash ^ hash>>29
}
