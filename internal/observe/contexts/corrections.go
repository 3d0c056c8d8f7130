package contexts

import (
	"mallard/internal/calltree"
	"mallard/internal/trace"
)

// A transition is a call by which a transaction was entered or left. Frames under it have counted before what they make
// in it, or have yet to count what they have made. How much that is follows from where they stand, so it is the same
// each time.
type transition struct {
	corrections []correction
	times       uint64 // that are recorded
}

// A correction is what was counted in one context and belongs to another.
type correction struct {
	from, to calltree.Node
	site     trace.SiteID
	n        int64
}

// A framePosition is where frames stand.
type framePosition struct {
	method calltree.MethodID
	pc     int
}
