package heap

import (
	"math"
	"strconv"
	"time"
)

// Lifetime is of objects that were born in young spaces, or humongous, and that a collection has come to. Those that
// were born in the old generation are left out: nobody looks whether they live, but seldom.
//
// Of a young collection all is known but one thing: of what age those of a class were that it has promoted. They are
// taken to be the oldest that have left, as they are with a collector's threshold unless the survivor spaces are full.
// In the same way those of a class that a full or mixed collection has left alive are taken to be the oldest, since it
// puts them together.
type Lifetime struct {
	Met  Amount             // by a first collection
	died [longest + 1]int64 // objects, by collections come through
	left [longest + 1]int64 // the same of those that were seen alive last: promoted, or there at the end
	Soon Amount             // found dead by the first collection
	// of what young collections, mixed ones among them, stopped the program for: at each the share that these objects
	// have in the bytes of eden that were born since the collection before, which made it necessary
	Cost time.Duration
}

// longest is a number of collections; more are not told apart.
const longest = 31

// Age is a number of collections.
type Age struct {
	Collections int  `json:"collections"`
	AtLeast     bool `json:"at_least"` // more is not known
}

// String prints the number: 3, or >=3.
func (a Age) String() string {
	return map[bool]string{true: ">="}[a.AtLeast] + strconv.Itoa(a.Collections)
}

// Quantile is how many collections a share of the objects, and no more, have come through before they were dead.
func (l *Lifetime) Quantile(share float64) Age {
	total := int64(0)
	for age := range l.died {
		total = saturated(total, saturated(l.died[age], l.left[age]))
	}
	wanted := int64(math.Ceil(share*float64(total) - 1e-6)) // whatever binary fractions make of 0.9
	ended, dead := int64(0), int64(0)
	for age := range l.died {
		dead = saturated(dead, l.died[age])
		ended = saturated(saturated(ended, l.died[age]), l.left[age])
		if ended >= wanted {
			return Age{age, age == longest || dead < wanted}
		}
	}
	return Age{longest, true}
}

// Collections is how many collections the objects have come through, in the form that single objects have it in.
func (l *Lifetime) Collections() (s Spread) {
	for age := range longest {
		s.die(int64(age), l.died[age])
		s.live(int64(age), l.left[age])
	}
	s.live(longest, saturated(l.died[longest], l.left[longest])) // perhaps more
	return s
}

// Add has the objects of others be among these.
func (l *Lifetime) Add(other *Lifetime) {
	l.Met, l.Soon = l.Met.plus(other.Met), l.Soon.plus(other.Soon)
	l.Cost += other.Cost
	for age := range l.died {
		l.died[age] = saturated(l.died[age], other.died[age])
		l.left[age] = saturated(l.left[age], other.left[age])
	}
}

// die has objects found dead that had come through some collections before.
func (l *Lifetime) die(age int, a Amount) {
	l.died[min(age, longest)] = saturated(l.died[min(age, longest)], a.Objects)
	if age == 0 {
		l.Soon = l.Soon.plus(a)
	}
}

// live has objects seen for the last time, after some collections.
func (l *Lifetime) live(age int, a Amount) {
	l.left[min(age, longest)] = saturated(l.left[min(age, longest)], a.Objects)
}
