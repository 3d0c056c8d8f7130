package bytecode

import "mallard/internal/classfile"

// A Rewritten is a body with insertions.
type Rewritten struct {
	Code *classfile.Code // ready to be written
	Body *Code           // the same with labels

	maps   offsetMaps
	ranges [][2]Label
	bodies [][2]Label
}

// PC returns the offset of old instruction i in the new code; that of
// len(Insns) is where the bodies of catchers begin, without any the new length.
func (r *Rewritten) PC(i int) int { return r.Body.PC(int(r.maps.self[i])) }

// ArrivalPC returns the offset where branches to old instruction i arrive
// now: that of its Always insertions.
func (r *Rewritten) ArrivalPC(i int) int { return r.Body.PC(int(r.maps.arrive[i])) }

// StartPC returns the offset of the first code inserted before old instruction i.
func (r *Rewritten) StartPC(i int) int { return r.Body.PC(int(r.maps.start[i])) }

// InsertionPC returns the offsets [start, end) of the code of insertion k. They
// are equal if it is empty, or if nobody comes that way.
func (r *Rewritten) InsertionPC(k int) (start, end int) {
	at := r.ranges[k]
	return r.Body.PC(int(at[0])), r.Body.PC(int(at[1]))
}

// CatcherPC returns the offsets of the body of catcher k and of the athrow that
// ends it.
func (r *Rewritten) CatcherPC(k int) (start, athrow int) {
	at := r.bodies[k]
	return r.Body.PC(int(at[0])), r.Body.PC(int(at[1]) - 1)
}

// offsetMaps are the new places of old labels (S, A and self above). That of
// the end of the code is in each where the bodies of catchers begin.
type offsetMaps struct{ start, arrive, self []Label }

func newOffsetMaps(n int) offsetMaps {
	all := make([]Label, 3*n)
	return offsetMaps{all[:n:n], all[n : 2*n : 2*n], all[2*n:]}
}
