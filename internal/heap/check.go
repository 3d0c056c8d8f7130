package heap

import (
	"maps"
	"slices"
)

// Check compares what walks have found with what the VM says, what collections have left with what there was, and what
// was born with what died and is held. Where events are lost, or damaged, that does not add up either. The JDK (17, 25)
// says whether int[] may be unused memory; 0: it is not known.
func (h *History) Check(jdk int) *Check {
	c := &Check{}
	if h.Damaged > 0 {
		c.violate(len(h.Pauses)-1, "%d damaged events were left out", h.Damaged)
	}
	lost, born, died := int64(0), map[Class]Amount{}, map[Class]Amount{}
	now := newTouched[Amount](len(h.classes.names))
	for i, s := range h.states(len(h.Pauses)) {
		c.Walks++
		c.Eden += s.Used[Eden]
		c.Early += s.Early
		if s.Lost > lost {
			c.violate(i, "%d events are missing", s.Lost-lost)
			lost = s.Lost
		}
		c.used(i, &h.Pauses[i])
		c.wholes(i, &s.Walk)
		for _, e := range s.born.all() {
			born[e.class] = born[e.class].plus(e.Amount)
		}
		for _, e := range s.gone.all() {
			a := now.of(e.class)
			*a = a.plus(e.Amount)
		}
		for _, e := range s.moved.all() {
			a := now.of(e.class)
			*a = a.minus(e.Amount)
		}
		slices.Sort(now.list)
		for _, class := range now.list {
			a := *now.of(class)
			c.Compared++
			died[class] = died[class].plus(a)
			mayBeUnused := class == Unused || jdk < FillersNamed && h.Name(class) == "int[]"
			if a.isNegative() && !mayBeUnused && !s.Unannounced && !s.failed() {
				c.violate(i, "%s: %d objects and %d bytes more than before the collection", h.Name(class), -a.Objects,
					-a.Bytes)
			}
		}
		now.clear()
		if s.Ended {
			c.balance(h, i, s.heap, born, died)
		}
	}
	if h.singly {
		c.singles(h)
	}
	return c
}

// used compares the rows of each space with what the VM says is used there.
func (c *Check) used(i int, p *Pause) {
	unread := int64(0)
	for space, used := range p.Used {
		c.Compared++
		missing := used - p.Found[space]
		if Space(space) == Eden {
			missing -= p.Unused
		}
		unread += missing
		if missing != 0 && p.Unread == 0 || missing < 0 {
			c.violate(i, "%s: %d bytes used, of which %d are accounted for", Space(space), used, used-missing)
		}
	}
	if p.Unread > 0 && unread != p.Unread {
		c.violate(i, "%d bytes were not read, but %d are not accounted for", p.Unread, unread)
	}
}

// wholes looks at what the agent has compared. What could not be read is missing where it is.
func (c *Check) wholes(i int, w *Walk) {
	c.Regions, c.Buffers = c.Regions.plus(w.Regions), c.Buffers.plus(w.Buffers)
	if w.Regions.Other > 0 && (w.Unread == 0 || w.Regions.Bytes != w.Unread) {
		c.violate(i, "%d of %d regions were not read byte for byte: %d bytes more or less", w.Regions.Other,
			w.Regions.Compared, w.Regions.Bytes)
	}
	if w.Buffers.Other > 0 {
		c.violate(i, "%d of %d allocation buffers were not read byte for byte", w.Buffers.Other, w.Buffers.Compared)
	}
}

// balance holds, for each class, what was born against what died and what is held.
func (c *Check) balance(h *History, i int, heap *Heap, born, died map[Class]Amount) {
	held := map[Class]Amount{}
	for _, e := range heap.all() {
		held[e.class] = held[e.class].plus(e.Amount)
	}
	for _, class := range slices.Sorted(maps.Keys(born)) {
		a := born[class]
		c.Compared++
		if sum := died[class].plus(held[class]); sum != a {
			c.violate(i, "%s: %d objects and %d bytes were born, %d and %d died or are held", h.Name(class), a.Objects,
				a.Bytes, sum.Objects, sum.Bytes)
		}
	}
}
