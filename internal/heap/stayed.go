package heap

import "mallard/internal/heap/single"

// Bounds are an amount that may not be known, objects and bytes each by itself.
type Bounds struct{ Least, Most Amount }

// AreExact reports whether the amount is known.
func (b Bounds) AreExact() bool { return b.Least == b.Most }

// plus adds what is apart from it.
func (b Bounds) plus(other Bounds) Bounds {
	return Bounds{b.Least.plus(other.Least), b.Most.plus(other.Most)}
}

// stayed is how much of a class was held at both moments, as far as these amounts say: no more than at either, and no
// less than what was held afterwards less all that was born. Of a site either may be off by as many as got it in
// between: who got it may stand for one that has died.
func (d DiffAmounts) stayed() Bounds {
	most := d.Before.atMost(d.After)
	return Bounds{d.After.minus(d.Born).atMost(most), most}
}

// stayed is what single objects say of it, by class: an object that got its site in between is of none of both.
type stayed struct {
	from int             // in Pauses
	now  int             // the pause whose collection has moved what arrives
	came map[uint32]int  // by order: the pause since which an object of unknown birth is known
	anew map[uint32]bool // by order: is of another class than it was

	seen           *touched[Amount] // at the second moment
	known, perhaps *touched[Amount] // of these, those that were there, or may have been
}

// stayedSingly replays single objects.
func (h *History) stayedSingly(from, to int) *stayed {
	n := len(h.classes.names)
	a := &stayed{from: from, came: map[uint32]int{}, anew: map[uint32]bool{},
		known: newTouched[Amount](n), perhaps: newTouched[Amount](n), seen: newTouched[Amount](n)}
	s := &singles{walk: func(i int, _, _ *state) { a.now = i - 1 }}
	s.Newborn = h.classes.tagged != nil // what they were when they were born says their class
	s.Came = func(is *single.Object) { a.came[is.Order] = a.now }
	s.Lives = func(was, is *single.Object) {
		if a.now > from && s.Newborn && was.Class != is.Class {
			a.anew[is.Order] = true
		}
	}
	for i := range h.replaySingles(to, s) {
		if i < to {
			continue
		}
		for o := range s.All() {
			a.add(o)
		}
	}
	return a
}

// add takes an object that is held at the second moment.
func (a *stayed) add(o *single.Object) {
	count := func(in *touched[Amount]) {
		sum := in.of(Class(o.Class))
		*sum = sum.plus(Amount{1, o.Bytes()})
	}
	count(a.seen)
	came, late := a.came[o.Order]
	switch {
	case int(o.Born) > a.from || a.anew[o.Order]:
	case o.Born != single.Unknown || o.Order != 0 && (!late || came <= a.from):
		count(a.known)
	default:
		count(a.perhaps)
	}
}

// of says how much stayed of a class: no more than sums allow, but for sites, of which these know less.
func (a *stayed) of(class Class, d DiffAmounts, bySite bool) Bounds {
	least, missing := *a.known.of(class), d.After.minus(*a.seen.of(class))
	most := least.plus(*a.perhaps.of(class)).plus(missing.atMost(missing))
	if bySite {
		return Bounds{least, most}
	}
	sums := d.stayed()
	least.Objects, least.Bytes = max(least.Objects, sums.Least.Objects), max(least.Bytes, sums.Least.Bytes)
	most = most.atMost(sums.Most)
	return Bounds{least.atMost(most), most}
}
