package heap

import (
	"maps"
	"math"
	"math/bits"
	"slices"
)

// Spread is at what ages objects have died, in some unit, and at what ages others were known to live last. Ages up to
// 1023 are exact; larger ones are too low by 0.2 % at most.
type Spread struct{ died, left map[uint16]int64 } // by step

// exact ages have steps of their own, half as many are in each power of two behind them.
const exactAges = 1 << 10

// step is what an age is known by. They are in the order of ages.
func step(age int64) uint16 {
	if age < exactAges {
		return uint16(max(0, age))
	}
	shift := bits.Len64(uint64(age)) - bits.Len64(exactAges-1)
	return uint16(exactAges/2*shift + int(age>>shift))
}

// ageOf is the lowest age of a step.
func ageOf(step uint16) int64 {
	if step < exactAges {
		return int64(step)
	}
	shift := int(step)/(exactAges/2) - 1
	return int64(int(step)-exactAges/2*shift) << shift
}

func (s *Spread) die(age, objects int64) { addTo(&s.died, age, objects) }

func (s *Spread) live(age, objects int64) { addTo(&s.left, age, objects) }

func addTo(to *map[uint16]int64, age, objects int64) {
	if objects == 0 {
		return
	}
	if *to == nil {
		*to = map[uint16]int64{}
	}
	at := step(age)
	(*to)[at] = saturated((*to)[at], objects)
}

// Add has the objects of others be among these.
func (s *Spread) Add(other *Spread) {
	for _, part := range []struct {
		to   *map[uint16]int64
		from map[uint16]int64
	}{{&s.died, other.died}, {&s.left, other.left}} {
		for at, objects := range part.from {
			addTo(part.to, ageOf(at), objects)
		}
	}
}

// steps are those that there are.
func (s *Spread) steps() []uint16 {
	return slices.Compact(slices.Sorted(func(yield func(uint16) bool) {
		for _, m := range []map[uint16]int64{s.died, s.left} {
			for at := range maps.Keys(m) {
				if !yield(at) {
					return
				}
			}
		}
	}))
}

// objects is how many there are.
func (s *Spread) objects() (n int64) {
	for _, m := range []map[uint16]int64{s.died, s.left} {
		for _, objects := range m {
			n = saturated(n, objects)
		}
	}
	return n
}

// Quantile is the age that a share of the objects, and no more, have had when they were dead, as Lifetime.Quantile says
// it. AtLeast: more is not known.
func (s *Spread) Quantile(share float64) (age int64, atLeast bool) {
	wanted := int64(math.Ceil(share*float64(s.objects()) - 1e-6)) // whatever binary fractions make of 0.9
	ended, dead := int64(0), int64(0)
	for _, at := range s.steps() {
		dead = saturated(dead, s.died[at])
		ended = saturated(saturated(ended, s.died[at]), s.left[at])
		if age = ageOf(at); ended >= wanted {
			return age, dead < wanted
		}
	}
	return age, true
}

// Survival is the share of the objects that get to an age, as far as it is known of each (Kaplan and Meier); false:
// all that are known to have got to a lower one have left.
func (s *Spread) Survival(to int64) (share float64, known bool) {
	share = 1
	rest := s.objects()
	for _, at := range s.steps() {
		if ageOf(at) >= to {
			break
		}
		rest -= s.left[at] // a collection has not come to these at this age
		if dead := s.died[at]; dead > 0 {
			share *= 1 - float64(dead)/float64(rest)
			rest -= dead
		}
	}
	return share, rest > 0 || share == 0
}
