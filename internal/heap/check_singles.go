package heap

import (
	"mallard/internal/heap/single"
)

// singles holds single objects to sums, to what they were before, and to one another.
func (c *Check) singles(h *History) {
	i, twice, failed := 0, 0, false
	var pause *state // that has moved them
	unknown, died := int64(0), newTouched[Amount](len(h.classes.names))
	s := &singles{definitions: &definedSingles{}}
	s.Newborn = true
	s.walk = func(at int, before, now *state) {
		i, pause, failed = at, before, before != nil && before.failed()
		if before == nil { // of what came before a keyframe, that says how much is not known
			unknown = s.Unordered + s.Late + s.Remains
		}
		if now.seen.Held == nil || s.LeftOut == 0 && now.Lost == 0 {
			c.sums(h, at, before, now, s)
		}
		if before != nil && !now.seen.IsWhole() {
			pause = nil
		}
	}
	s.Died = func(o *single.Object) {
		a := died.of(s.class(o))
		*a = a.plus(Amount{1, o.Bytes()})
	}
	s.Lives = func(was, is *single.Object) {
		c.Compared++
		if !h.isSame(s.class(is), s.class(was)) || was.Words != is.Words {
			c.violate(i, "%s of %d bytes at %#x was %s of %d bytes at %#x", h.Title(s.class(is)), is.Bytes(),
				is.Address, h.Title(s.class(was)), was.Bytes(), was.Address)
		}
		if before, now := s.definitions.at(was), s.definitions.at(is); !before.mayBecome(now) {
			c.violate(i, "%s at %#x has tag %d, and had %d at %#x", h.Title(s.class(is)), is.Address, now.tag,
				before.tag, was.Address)
		}
	}
	for at := range h.replaySingles(len(h.Pauses), s) {
		for _, o := range s.Twice[twice:] {
			if !failed {
				c.violate(at, "%s at %#x is elsewhere, too", h.Name(s.class(&o)), o.Address)
			}
		}
		twice = len(s.Twice)
		if pause != nil && !failed && !pause.Ended && !pause.Unannounced {
			c.deaths(h, at, pause, died, s.Unordered+s.Late+s.Remains-unknown+s.LeftOut)
		}
		unknown, pause = s.Unordered+s.Late+s.Remains, nil
		died.clear()
		if !failed {
			c.places(h, at, s)
		}
	}
	c.Gaps = &s.Gaps
}

// sums compares the objects of a walk with its rows.
func (c *Check) sums(h *History, i int, before, now *state, s *singles) {
	if n := now.seen; !n.Ended || n.Undecoded > 0 || n.Events != n.End.Events || n.Objects != n.End.Objects {
		c.violate(i, "single objects are missing: %d events of %d, %d damaged", n.Events, n.End.Events, n.Undecoded)
		return
	}
	if !now.seen.IsWhole() {
		return // left out, since there was no room
	}
	type kind struct {
		place
		moved bool
	}
	sums := map[kind]*touched[Amount]{}
	of := func(k kind) *touched[Amount] {
		if sums[k] == nil {
			sums[k] = newTouched[Amount](len(h.classes.names))
		}
		return sums[k]
	}
	add := func(list *Heap, moved bool) {
		for at, e := range list.all() {
			sum := of(kind{at, moved}).of(e.class)
			*sum = sum.plus(e.Amount)
		}
	}
	add(now.born, false)
	if before != nil {
		add(before.moved, true)
	}
	var last kind
	list := of(last)
	for o := range now.seen.All() {
		k := kind{place{space: Space(o.Space), region: o.Region}, o.Moved && before != nil}
		if o.Moved && !o.IsOld() {
			k.age = o.Age
		}
		if k != last {
			last, list = k, of(k)
		}
		sum := list.of(s.class(&o.Object))
		*sum = sum.minus(Amount{1, o.Bytes()})
	}
	for k, list := range sums {
		for _, class := range list.list {
			c.Compared++
			if a := *list.of(class); a != (Amount{}) && class != Unused {
				c.violate(i, "%s in %s: sums have %d objects and %d bytes more than single objects", h.Name(class),
					k.space, a.Objects, a.Bytes)
			}
		}
	}
}

// deaths compares the objects that a pause has found dead with sums, but for so many of which nobody knows.
func (c *Check) deaths(h *History, i int, pause *state, died *touched[Amount], unknown int64) {
	for _, e := range pause.gone.all() {
		if e.class != Unused {
			a := died.of(e.class)
			*a = a.minus(e.Amount)
		}
	}
	for _, e := range pause.moved.all() {
		if e.class != Unused {
			a := died.of(e.class)
			*a = a.plus(e.Amount)
		}
	}
	for _, class := range died.list {
		c.Compared++
		n := died.of(class).Objects
		if class == Unused || n == 0 {
			continue
		}
		if unknown -= max(n, -n); unknown < 0 {
			c.violate(i, "%s: %d more single objects died than by sums", h.Name(class), n)
		}
	}
}
