package counters

import (
	"iter"
	"slices"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// What was given back may be what objects are tagged with that live on. Then it waits, until the heap has been looked
// at.

// held are numbers that were given back.
type held struct {
	numbers []Range
	at      time.Duration // when they were given back
}

// Hold has numbers that are given back be free only when Release says that no object is tagged with them; then they have
// their next turn as tags.
func (s *Space) Hold(tags *Tags) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tags = tags
}

// Release has numbers be free that were given back before a time, since when all objects that there were by then have
// been met. It asks which tags objects may have now, in whatever turn, only where so many numbers wait that it is worth
// it: a sixteenth of all. False: that is not known.
func (s *Space) Release(met, now time.Duration, carried func() (tags iter.Seq[uint32], known bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := uint32(0)
	for _, g := range s.given {
		if g.at < met {
			waiting += length(g.numbers)
		}
	}
	if waiting == 0 || waiting < s.limit/16 {
		return
	}
	tags, known := carried()
	if !known {
		return
	}
	var list []uint32
	for tag := range tags {
		list = append(list, tag&abi.TagOthers)
	}
	slices.Sort(list)
	left := held{at: now}
	s.given = slices.DeleteFunc(s.given, func(g held) bool {
		if g.at >= met {
			return false
		}
		for _, r := range g.numbers {
			kept, free := divide(r, list)
			left.numbers = append(left.numbers, kept...)
			for _, r := range free {
				left.numbers = append(left.numbers, s.turn(r)...)
			}
		}
		return true
	})
	s.free = Joined(s.free)
	if left.numbers = Joined(left.numbers); len(left.numbers) > 0 {
		s.given = append(s.given, left)
	}
}

// turn has numbers be free, in their next turn as tags, and gives those that have none.
func (s *Space) turn(r Range) (left []Range) {
	for r.First < r.End {
		some, _, ok := s.tags.Again(r)
		if !ok { // numbers that are no tags have no turns
			some = Range{r.First, r.First + 1}
		}
		if ok || uint32(r.First) >= abi.TagNone {
			s.free = append(s.free, some)
		} else {
			left = append(left, some)
		}
		r.First = some.End
	}
	return left
}

// divide gives those numbers of a range that are in a list, which is ascending, and the others.
func divide(r Range, list []uint32) (in, others []Range) {
	i, _ := slices.BinarySearch(list, uint32(r.First))
	for ; i < len(list) && list[i] < uint32(r.End); i++ {
		at := trace.CounterID(list[i])
		if at < r.First { // it is there twice
			continue
		}
		in = append(in, Range{at, at + 1})
		others = append(others, Range{r.First, at})
		r.First = at + 1
	}
	return in, append(others, r)
}

func length(numbers []Range) (n uint32) {
	for _, r := range numbers {
		n += r.Len()
	}
	return n
}

// Early is how many numbers were taken though objects may be tagged with them: there were no others.
func (s *Space) Early() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.early
}

// takeEarly takes numbers that objects may be tagged with, those first that were given back first.
func (s *Space) takeEarly(n uint32) (first trace.CounterID, ok bool) {
	for len(s.given) > 0 {
		oldest := s.given[0].numbers
		s.given = slices.Delete(s.given, 0, 1)
		s.early += length(oldest)
		for _, r := range oldest {
			s.free = append(s.free, s.turn(r)...)
		}
		s.free = Joined(s.free)
		if first, ok = s.find(n); ok {
			return first, true
		}
	}
	return 0, false
}
