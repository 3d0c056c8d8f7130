package bytecode

import (
	"fmt"
	"math"
	"sync"

	"mallard/internal/classfile"
)

// Rewrite returns the body with straight-line code inserted. c stays as it is;
// the result shares what did not change.
//
// Before an instruction A with insertions the new body has
//
//	S:    code FallThrough
//	      goto A               if pads follow and the instruction before falls through
//	pad:  code Taken           with the frame of A
//	      goto A               not after the last pad
//	A:    code Always          frames, branches, handlers come here
//	self: the instruction
//
// so everything stays valid for who comes to A, and nothing in front of it
// needs types that A does not have. Both ends of every range (handlers,
// variables) and the starts of lines move to S; offsets of new instructions in
// frames and of type annotations move to self.
//
// Forms grow where they must: frames and goto to their wide forms, a
// conditional branch to its opposite over a goto_w. Insertions that nobody can
// come to are dropped, as FallThrough after a goto. Several insertions of one
// Where at one place stand in the order given. The operand stack grows by the
// largest Insertion.Stack.
//
// Errors: LengthError, DistanceError where an inverted branch has no frame to
// jump to, FrameError, and insertions that make no sense.
func (c *Code) Rewrite(insertions []Insertion) (*Rewritten, error) {
	w := rewriters.Get().(*rewriter)
	defer w.release()
	w.old, w.insertions = c, insertions
	r, err := w.rewrite()
	if err != nil {
		return nil, fmt.Errorf("bytecode: rewrite: %w", err)
	}
	return r, nil
}

// A FrameError says that a pad cannot be made, for its target has no frame.
type FrameError struct{ At Label }

func (e *FrameError) Error() string { return fmt.Sprintf("no frame at the target %d of a pad", e.At) }

// A Rewritten is a body with insertions.
type Rewritten struct {
	Code *classfile.Code // ready to be written
	Body *Code           // the same with labels

	maps   offsetMaps
	ranges [][2]Label
}

// PC returns the offset of old instruction i in the new code; that of
// len(Insns) is the new length.
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

// offsetMaps are the new places of old labels (S, A and self above). That of
// the end of the code is the new end in each.
type offsetMaps struct{ start, arrive, self []Label }

func newOffsetMaps(n int) offsetMaps {
	all := make([]Label, 3*n)
	return offsetMaps{all[:n:n], all[n : 2*n : 2*n], all[2*n:]}
}

// A rewriter makes one new body. Its lists are scratch memory that is used
// again.
type rewriter struct {
	old        *Code
	insertions []Insertion
	order      []int32 // insertions as they come to stand

	body   *Code
	maps   offsetMaps
	ranges [][2]Label // by insertion: its code in the new body

	pads      []pad      // places that need a copy of a frame, ascending
	redirects []redirect // edges that go to a pad
	landings  []pad      // those of pads where inverted branches fall through
	jumps     []jump     // the new gotos
	inverted  []bool     // by old instruction: a conditional branch made long; nil if there is none
}

var rewriters = sync.Pool{New: func() any { return new(rewriter) }}

// release gives the scratch memory back.
func (w *rewriter) release() {
	*w = rewriter{order: w.order[:0], pads: w.pads[:0], redirects: w.redirects[:0], landings: w.landings[:0], jumps: w.jumps[:0]}
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

// rewrite works in steps: expand the instructions; aim branches; lengthen
// what is too short, which may need another expansion; then the tables, for
// which all offsets are known; and last the bytes.
func (w *rewriter) rewrite() (*Rewritten, error) {
	c := w.old
	if err := w.sortInsertions(); err != nil {
		return nil, err
	}
	stack := int(c.MaxStack)
	for i := range w.insertions {
		stack = max(stack, int(c.MaxStack)+w.insertions[i].Stack)
	}
	if stack > math.MaxUint16 {
		return nil, fmt.Errorf("max_stack %d", stack)
	}
	w.body = &Code{MaxStack: uint16(stack), MaxLocals: c.MaxLocals, Version: c.Version, Attributes: c.Attributes}
	w.maps = newOffsetMaps(len(c.Insns) + 1)
	w.ranges = make([][2]Label, len(w.insertions))
	for again := true; again; {
		if err := w.expand(); err != nil {
			return nil, err
		}
		w.aim()
		var err error
		if again, err = w.lengthen(); err != nil {
			return nil, err
		}
	}
	w.fixPadding()
	if err := w.tables(); err != nil {
		return nil, err
	}
	code, err := w.body.encode(w.body.pcs)
	if err != nil {
		return nil, err
	}
	return &Rewritten{Code: code, Body: w.body, maps: w.maps, ranges: w.ranges}, nil
}

// expand builds the new instructions and the offset maps. Branches still have
// old labels.
func (w *rewriter) expand() error {
	c := w.old
	size := len(c.Insns)
	for i := range w.insertions {
		size += len(w.insertions[i].Code) + 1 // a goto at most
	}
	out := make([]Instruction, 0, size)
	w.pads, w.landings, w.redirects, w.jumps = w.pads[:0], w.landings[:0], w.redirects[:0], w.jumps[:0]
	order := w.order
	for i, in := range c.Insns {
		w.maps.start[i] = Label(len(out))
		w.maps.arrive[i] = Label(len(out))
		if len(order) > 0 && w.insertions[order[0]].At == i {
			n := 1
			for n < len(order) && w.insertions[order[n]].At == i {
				n++
			}
			var err error
			if out, err = w.insert(out, Label(i), order[:n]); err != nil {
				return err
			}
			order = order[n:]
		}
		w.maps.self[i] = Label(len(out))
		if w.isInverted(i) {
			out = append(out, Instruction{Op: in.Op.Negate()})
			in.Op = OpGotoW
		}
		out = append(out, in)
	}
	end := len(c.Insns)
	w.maps.start[end], w.maps.arrive[end], w.maps.self[end] = Label(len(out)), Label(len(out)), Label(len(out))
	w.body.Insns = out
	return nil
}

func (w *rewriter) isInverted(i int) bool { return w.inverted != nil && i >= 0 && w.inverted[i] }

// insert appends the code of a group of insertions before old label at.
func (w *rewriter) insert(out []Instruction, at Label, group []int32) ([]Instruction, error) {
	emit := func(k int32) {
		start := Label(len(out))
		out = append(out, w.insertions[k].Code...)
		w.ranges[k] = [2]Label{start, Label(len(out))}
	}
	jump := func() {
		w.jumps = append(w.jumps, jump{Label(len(out)), at})
		out = append(out, Instruction{Op: OpGoto})
	}
	enters := at == 0 || w.old.Insns[at-1].Op.FallsThrough()
	for ; len(group) > 0 && w.insertions[group[0]].Where == FallThrough; group = group[1:] {
		k := group[0]
		if !enters {
			w.ranges[k] = [2]Label{Label(len(out)), Label(len(out))}
			continue
		}
		if w.isInverted(int(at)-1) && len(w.insertions[k].Code) > 0 && Label(len(out)) == w.maps.start[at] {
			landing := pad{at, Label(len(out))}
			w.pads = append(w.pads, landing)
			w.landings = append(w.landings, landing)
		}
		emit(k)
	}
	taken := len(group)
	for taken > 0 && w.insertions[group[taken-1]].Where == Always {
		taken--
	}
	// An inverted branch jumps over its goto_w to A itself if no code is on
	// the way; a goto there would have no frame.
	bare := w.isInverted(int(at)-1) && Label(len(out)) == w.maps.start[at]
	open := enters && !bare // control comes to the end of out
	first := len(w.redirects)
	for _, k := range group[:taken] {
		if len(w.insertions[k].Code) == 0 {
			w.ranges[k] = [2]Label{Label(len(out)), Label(len(out))}
			continue
		}
		if open {
			jump()
		}
		open = true
		p := pad{at, Label(len(out))}
		w.pads = append(w.pads, p)
		for _, from := range w.insertions[k].From {
			for _, r := range w.redirects[first:] {
				if int(r.from) == from && r.label != p.label {
					return nil, fmt.Errorf("two pads for the edge from %d to %d", from, at)
				}
			}
			w.redirects = append(w.redirects, redirect{int32(from), p})
		}
		emit(k)
	}
	w.maps.arrive[at] = Label(len(out))
	for _, k := range group[taken:] {
		emit(k)
	}
	return out, nil
}
