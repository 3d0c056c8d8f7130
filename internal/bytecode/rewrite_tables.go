package bytecode

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"mallard/internal/classfile"
)

// A FrameError says that a pad cannot be made, for its target has no frame.
type FrameError struct{ At Label }

func (e *FrameError) Error() string { return fmt.Sprintf("no frame at the target %d of a pad", e.At) }

// tables makes everything of the new body but the instructions.
func (w *rewriter) tables() error {
	c := w.old
	if err := w.frames(); err != nil {
		return err
	}
	if len(c.Handlers)+len(w.bodies)+len(w.prologue.Guard.Code) > 0 {
		if err := w.handlers(); err != nil {
			return err
		}
	}
	if len(c.Lines) > 0 {
		w.lines()
	}
	if len(c.Variables) > 0 {
		w.body.Variables = slices.Clone(c.Variables)
		for i := range w.body.Variables {
			v := &w.body.Variables[i]
			v.Start, v.End = w.begin(v.Start), w.relocate(w.maps.start, v.End)
		}
	}
	if len(c.Annotations) > 0 {
		w.body.Annotations = slices.Clone(c.Annotations)
		for i := range w.body.Annotations {
			a := &w.body.Annotations[i]
			a.At = w.relocate(w.maps.self, a.At)
			if a.TargetType == classfile.TargetExceptionParameter {
				a.Index += uint16(w.ours)
			}
		}
		w.body.Ranges = slices.Clone(c.Ranges)
		for i := range w.body.Ranges {
			r := &w.body.Ranges[i]
			r.Start, r.End = w.begin(r.Start), w.relocate(w.maps.start, r.End)
		}
	}
	return nil
}

// lines moves the starts of lines.
func (w *rewriter) lines() {
	c := w.old
	ascending := true
	for i := 1; i < len(c.Lines) && ascending; i++ {
		ascending = c.Lines[i-1].Start < c.Lines[i].Start
	}
	if !ascending {
		w.crowdedLines()
		return
	}
	w.body.Lines = make([]Line, len(c.Lines))
	for i, l := range c.Lines {
		w.body.Lines[i] = Line{w.begin(l.Start), l.Line}
	}
}

// crowdedLines is lines where several may start at one instruction. To the JVM such an instruction is on the line that
// comes first in the table, and what follows it on the one that comes last. So, where code was inserted before it, all
// of them start at the instruction itself, and the first in front of that code as well.
func (w *rewriter) crowdedLines() {
	starts := map[Label]int{}
	for _, l := range w.old.Lines {
		starts[l.Start]++
	}
	lines := w.old.Lines
	for i, a := range w.old.Attributes {
		if a.Kind != LineNumberTable {
			continue
		}
		own, rest, ok := cut(lines, a.Count)
		if !ok {
			return // which encode says
		}
		lines = rest
		first := len(w.body.Lines)
		for _, l := range own {
			begin := w.begin(l.Start)
			_, stray := l.Start.Stray()
			if stray || starts[l.Start] == 1 || begin == w.maps.self[l.Start] {
				w.body.Lines = append(w.body.Lines, Line{begin, l.Line})
				continue
			}
			if starts[l.Start] > 0 {
				w.body.Lines = append(w.body.Lines, Line{begin, l.Line})
				starts[l.Start] = 0 // the others are not the first
			}
			w.body.Lines = append(w.body.Lines, Line{w.maps.self[l.Start], l.Line})
		}
		if n := len(w.body.Lines) - first; n != a.Count {
			w.ownAttributes()
			w.body.Attributes[i].Count = n
		}
	}
}

// begin maps the label where a line or a variable begins.
func (w *rewriter) begin(l Label) Label {
	if l == 0 {
		return 0 // the prologue belongs to it
	}
	return w.relocate(w.maps.start, l)
}

// relocate maps an old label that may be stray. A stray offset keeps its
// distance to the start of the instruction that it is in, or to the end.
func (w *rewriter) relocate(labels []Label, l Label) Label {
	pc, stray := l.Stray()
	if !stray {
		return labels[l]
	}
	i := sort.Search(len(w.old.pcs), func(k int) bool { return int(w.old.pcs[k]) > pc }) - 1
	if i < 0 {
		return l
	}
	return Stray(min(int(w.body.pcs[w.maps.self[i]])+pc-int(w.old.pcs[i]), math.MaxUint16))
}

// frames makes the frames of the new body: those of the old one where others
// arrive, and in front of them one for each pad.
func (w *rewriter) frames() error {
	c := w.old
	w.types()
	if len(c.Frames)+len(w.pads) > 0 {
		w.body.Frames = make([]Frame, 0, len(c.Frames)+len(w.pads))
	}
	pads := w.pads
	missing := func(l Label) error {
		// A class of version 50 with a target that has no frame is verified
		// by inference already.
		if c.needsFrames() && c.Version != framesVersion {
			return &FrameError{l}
		}
		return nil
	}
	for i := range c.Frames {
		f := c.Frames[i]
		for len(pads) > 0 && pads[0].at < f.At && f.At >= 0 {
			if err := missing(pads[0].at); err != nil {
				return err
			}
			pads = pads[1:]
		}
		last := i+1 == len(c.Frames) || c.Frames[i+1].At != f.At
		at := f.At
		f.At = w.relocate(w.maps.arrive, at)
		if len(pads) == 0 || pads[0].at != at {
			w.body.Frames = append(w.body.Frames, f)
			continue
		}
		// The first pad has the frame as it is, which is relative to the
		// frame before; the others and A are relative to that.
		f.At = pads[0].label
		w.body.Frames = append(w.body.Frames, f)
		if !last {
			continue
		}
		f = repeated(f)
		for pads = pads[1:]; len(pads) > 0 && pads[0].at == at; pads = pads[1:] {
			f.At = pads[0].label
			w.body.Frames = append(w.body.Frames, f)
		}
		f.At = w.maps.arrive[at]
		w.body.Frames = append(w.body.Frames, f)
	}
	for _, p := range pads {
		if err := missing(p.at); err != nil {
			return err
		}
	}
	w.catcherFrames()
	w.guardFrames()
	if err := w.listLocal(); err != nil {
		return err
	}
	w.widenFrames()
	w.countFrames()
	return nil
}

// widenFrames gives frames the extended form where their delta needs it.
func (w *rewriter) widenFrames() {
	previous := -1
	for i := range w.body.Frames {
		f := &w.body.Frames[i]
		pc, stray := f.At.Stray()
		if !stray {
			pc = int(w.body.pcs[f.At])
		}
		if offsetDelta(previous, pc) > maxShortDelta {
			switch f.Kind {
			case SameFrame:
				f.Kind = SameFrameExtended
			case Stack1Frame:
				f.Kind = Stack1FrameExtended
			}
		}
		previous = pc
	}
}

// repeated returns the frame that, right after f, has the same types as f.
func repeated(f Frame) Frame {
	switch f.stack {
	case 0:
		return Frame{Kind: SameFrame}
	case 1:
		return Frame{Kind: Stack1Frame, first: f.first + int32(f.locals), stack: 1}
	}
	return f // only a full frame has more
}

// types copies the verification types.
func (w *rewriter) types() {
	w.body.Types = w.old.Types
	shared := true
	for i, t := range w.old.Types {
		if t.Tag != Uninitialized {
			continue
		}
		if shared {
			w.body.Types, shared = slices.Clone(w.old.Types), false
		}
		w.body.Types[i].Arg = int32(w.relocate(w.maps.self, Label(t.Arg)))
	}
}

// ownAttributes lets the list of attributes be changed.
func (w *rewriter) ownAttributes() {
	if len(w.old.Attributes) > 0 && &w.body.Attributes[0] == &w.old.Attributes[0] {
		w.body.Attributes = slices.Clone(w.old.Attributes)
	}
}

// countFrames corrects the number of frames in the attribute. Catchers may need
// the first frames of a body.
func (w *rewriter) countFrames() {
	if len(w.body.Frames) == len(w.old.Frames) {
		return
	}
	w.ownAttributes()
	found := false
	for i := range w.body.Attributes {
		if w.body.Attributes[i].Kind == StackMapTable {
			w.body.Attributes[i].Count, found = len(w.body.Frames), true
		}
	}
	if !found {
		w.body.Attributes = append(w.body.Attributes,
			Attribute{Name: max(w.catching.StackMapTable, w.prologue.Guard.StackMapTable), Kind: StackMapTable,
				Count: len(w.body.Frames)})
	}
}
