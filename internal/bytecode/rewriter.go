package bytecode

import "sync"

// A rewriter makes one new body. Its lists are scratch memory that is used
// again.
type rewriter struct {
	old        *Code
	insertions []Insertion
	catching   Catching
	prologue   Prologue
	order      []int32 // insertions as they come to stand

	body   *Code
	maps   offsetMaps
	ranges [][2]Label // by insertion: its code in the new body
	bodies [][2]Label // by catcher: its code, athrow included
	guards [2]Label   // see Guard; -1 for none

	covering [][]int32 // by catcher: old handlers
	ours     int       // handlers in front of the old ones

	pads      []pad      // places that need a copy of a frame, ascending
	redirects []redirect // edges that go to a pad
	landings  []pad      // those of pads where inverted branches fall through
	jumps     []jump     // the new gotos
	inverted  []bool     // by old instruction: a conditional branch made long; nil if there is none
}

var rewriters = sync.Pool{New: func() any { return new(rewriter) }}

// release gives the scratch memory back.
func (w *rewriter) release() {
	*w = rewriter{order: w.order[:0], pads: w.pads[:0], redirects: w.redirects[:0], landings: w.landings[:0],
		jumps: w.jumps[:0]}
	rewriters.Put(w)
}

// A pad is a new branch target before old label At.
type pad struct{ at, label Label }

// A redirect leads the edges from old instruction from to old label at to a pad.
type redirect struct {
	from int32
	pad
}

// A jump is a new goto to where others arrive at old label to.
type jump struct{ index, to Label }

// here returns the label of the next new instruction.
func (w *rewriter) here() Label { return Label(len(w.body.Insns)) }
