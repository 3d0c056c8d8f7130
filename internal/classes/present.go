package classes

import (
	"fmt"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// firstPresentWait is how long such a class waits, at first, that had a method running.
const firstPresentWait = 250 * time.Millisecond

// presentClasses are those of a JVM that was started without Mallard, which were loaded before it was attached.
type presentClasses struct {
	count, later int // how many there were, and how many of them were retransformed
	since        time.Time
	looked       bool // all have been tried
}

func (p *presentClasses) retransformed(outcome uint32) {
	if outcome == abi.OutcomeDone {
		p.later++
	}
}

// loss is what they cost, of which some have methods running and some were not tried so far; nil where there were none.
func (p *presentClasses) loss(live, untried int) *trace.Loss {
	if p.count == 0 {
		return nil
	}
	text := fmt.Sprintf("of %d classes that were loaded before Mallard was attached, %d count since it looked at them"+
		"; what ran already does from its next call on", p.count, p.later)
	if live > 0 {
		text += fmt.Sprintf("; %d do not count, since they have methods that are running in loops, and would run in "+
			"the interpreter until they return", live)
	}
	if untried > 0 {
		text += fmt.Sprintf("; %d were not changed before the recording ended", untried)
	}
	return &trace.Loss{Kind: "attached", Count: uint64(live + untried), Detail: text}
}
