package heap

import (
	"cmp"
	"maps"
	"slices"
)

// smallest is what an object takes at least, in bytes.
const smallest = 16

// resite gives objects their sites that had none yet when they were seen: whose constructor was running when the world
// stopped. What a collection has left more of a site than there was, it had found without one, or as one of the site
// that gives none.
func (c *classes) resite(s *state) {
	if c.tagged == nil {
		return
	}
	more := map[Class]Amount{}
	for _, e := range s.moved.all() {
		if c.made[e.class] != unknown {
			more[e.class] = more[e.class].plus(e.Amount)
		}
	}
	for _, e := range s.gone.all() {
		if c.made[e.class] != unknown {
			more[e.class] = more[e.class].minus(e.Amount)
		}
	}
	byBytes := func(a, b Class) int { // most first: few places have as many
		return cmp.Or(cmp.Compare(more[b].Bytes, more[a].Bytes), cmp.Compare(a, b))
	}
	for _, class := range slices.SortedFunc(maps.Keys(more), byBytes) {
		if a := more[class]; a.Objects > 0 || a.Bytes > 0 {
			from := c.unsited[class]
			less := s.gone.of(from).minus(s.moved.of(from))
			if implied, is := c.implied[from]; is && implied != class && less.Objects < a.Objects {
				from = implied
			}
			c.move(s, from, class, a)
		}
	}
}

// move has objects that were there before the collection be of another class, so that there are so many more of that at
// least. Of arrays others may have died: then there are more bytes of it and no more objects, or the other way round,
// and what is moved is the least that can be.
func (c *classes) move(s *state, from, to Class, more Amount) {
	a := Amount{Objects: max(more.Objects, 1)}
	a.Bytes = max(more.Bytes+smallest*(a.Objects-more.Objects), smallest*a.Objects)
	take := func(at place, part Amount) {
		change := []entry{{from, Amount{}.minus(part)}, {to, part}}
		s.gone.add(at, change...)
		s.born.add(place{space: Eden}, change...)
	}
	var some []place
	for _, at := range slices.SortedFunc(maps.Keys(s.gone.places), comparePlaces) {
		sum := s.gone.places[at].of(from)
		switch {
		case a.isPart(sum):
			take(at, a)
			return
		case sum.Objects == a.Objects && sum.Bytes >= a.Bytes && a != more: // others have died
			take(at, sum)
			return
		case sum.Objects > 0:
			some = append(some, at)
		}
	}
	for _, at := range some {
		sum := s.gone.places[at].of(from)
		switch {
		case a.isPart(sum):
			take(at, a)
			return
		case sum.isPart(a):
			take(at, sum)
			a = a.minus(sum)
		}
	}
}

// isPart reports whether so many objects may be among others.
func (a Amount) isPart(of Amount) bool {
	rest := of.minus(a)
	return !rest.isNegative() && rest.Bytes >= smallest*rest.Objects && (rest.Objects > 0 || rest.Bytes == 0)
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.space, b.space), cmp.Compare(a.age, b.age), cmp.Compare(a.region, b.region))
}

// of adds up what there is of a class.
func (h *Heap) of(class Class) (sum Amount) {
	for _, t := range h.places {
		sum = sum.plus(t.of(class))
	}
	return sum
}

// of adds up what there is of a class.
func (t *table) of(class Class) (sum Amount) {
	for _, e := range t.entries {
		if e.class == class {
			sum = sum.plus(e.Amount)
		}
	}
	return sum
}
