package bytecode

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// maxCatcherSteps bounds the product of ranges and old handlers, which are compared
// with each other.
const maxCatcherSteps = 1 << 22

// checkCatchers reports what no body can have, and notes for each catcher the old
// handlers that cover it.
func (w *rewriter) checkCatchers() error {
	c := w.old
	catchers := w.catching.Catchers
	if len(catchers) == 0 {
		return nil
	}
	if n := len(c.Insns); n == 0 || c.Insns[n-1].Op.FallsThrough() {
		return errors.New("the body of a catcher would follow code that falls through")
	}
	w.covering = make([][]int32, len(catchers))
	steps := 0
	for k := range catchers {
		catcher := &catchers[k]
		for _, in := range catcher.Code {
			if !in.Op.straight() {
				return fmt.Errorf("catcher %d: %s is not straight-line code", k, in.Op)
			}
		}
		if steps += len(catcher.Ranges) * len(c.Handlers); steps > maxCatcherSteps {
			return fmt.Errorf("catcher %d: too many ranges and handlers", k)
		}
		if err := c.checkRanges(catcher.Ranges); err != nil {
			return fmt.Errorf("catcher %d: %w", k, err)
		}
		var err error
		if w.covering[k], err = c.covering(catcher.Ranges); err != nil {
			return fmt.Errorf("catcher %d: %w", k, err)
		}
	}
	return nil
}

func (c *Code) checkRanges(ranges [][2]int) error {
	if len(ranges) == 0 {
		return errors.New("no range")
	}
	end := 0
	for _, r := range ranges {
		if r[0] < end || r[1] <= r[0] || r[1] > len(c.Insns) {
			return fmt.Errorf("range [%d,%d)", r[0], r[1])
		}
		end = r[1]
	}
	return nil
}

// covering lists the handlers that cover ranges. It is an error if one covers
// only a part.
func (c *Code) covering(ranges [][2]int) ([]int32, error) {
	var list []int32
	for k, h := range c.Handlers {
		covered := 0
		for _, r := range ranges {
			start, end := Label(r[0]), Label(r[1])
			switch {
			case h.Start <= start && end <= h.End:
				covered++
			case h.Start < end && start < h.End:
				return nil, fmt.Errorf("handler %d covers a part of [%d,%d)", k, start, end)
			}
		}
		switch covered {
		case 0:
		case len(ranges):
			list = append(list, int32(k))
		default:
			return nil, fmt.Errorf("handler %d covers only some ranges", k)
		}
	}
	return list, nil
}

// emitCatchers appends the bodies behind everything else.
func (w *rewriter) emitCatchers() {
	if w.bodies == nil {
		w.bodies = make([][2]Label, len(w.catching.Catchers))
	}
	for k := range w.catching.Catchers {
		start := w.here()
		w.body.Insns = append(append(w.body.Insns, w.catching.Catchers[k].Code...), Instruction{Op: OpAthrow})
		w.bodies[k] = [2]Label{start, w.here()}
	}
}

// handlers makes the exception table: entries to the bodies, the old entries, and
// copies of these for the bodies. Neighbouring bodies with the same old handlers
// share the copies.
func (w *rewriter) handlers() error {
	c := w.old
	var all []Handler
	for k := range w.catching.Catchers {
		for _, r := range w.catching.Catchers[k].Ranges {
			all = w.appendRange(all, r, w.bodies[k][0])
		}
	}
	w.ours = len(all)
	all = slices.Grow(all, len(c.Handlers))
	for _, h := range c.Handlers {
		all = append(all, Handler{w.maps.start[h.Start], w.maps.start[h.End], w.maps.arrive[h.Target], h.CatchType})
	}
	for k := 0; k < len(w.bodies); {
		next := k + 1
		for next < len(w.bodies) && slices.Equal(w.covering[k], w.covering[next]) {
			next++
		}
		for _, i := range w.covering[k] {
			h := c.Handlers[i]
			all = append(all, Handler{w.bodies[k][0], w.bodies[next-1][1], w.maps.arrive[h.Target], h.CatchType})
		}
		k = next
	}
	all = w.guardHandlers(all)
	if len(all) > math.MaxUint16 {
		return fmt.Errorf("%d handlers", len(all))
	}
	w.body.Handlers = all
	return nil
}

// appendRange appends the entries for a range, one for each run of instructions
// with nothing inserted in between.
func (w *rewriter) appendRange(all []Handler, r [2]int, target Label) []Handler {
	for i := r[0]; i < r[1]; {
		end := i + 1
		for end < r[1] && w.maps.start[end] == w.maps.self[end] {
			end++
		}
		all = append(all, Handler{Start: w.maps.self[i], End: w.maps.start[end], Target: target})
		i = end
	}
	return all
}

// catcherFrames appends the frames of the bodies.
func (w *rewriter) catcherFrames() {
	if len(w.bodies) == 0 || !w.old.needsFrames() {
		return
	}
	w.body.Types = slices.Clip(w.body.Types)
	stack := []VerificationType{{Object, int32(w.catching.Throwable)}}
	for k, b := range w.bodies {
		w.body.AddFrame(b[0], FullFrame, 0, w.catching.Catchers[k].Locals, stack)
	}
}
