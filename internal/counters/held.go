package counters

import (
	"iter"
	"slices"
	"time"

	"mallard/internal/abi"
)

// waiting are numbers that were given back, and are not free: objects that live on may be tagged with them.
type waiting struct {
	tags  *Tags  // that the numbers are; nil: they are none, and nothing waits
	given []held // the oldest first, but for those that something was found to be tagged with
	early uint32 // how many were taken all the same
}

// held are numbers that were given back together.
type held struct {
	numbers []Range
	at      time.Duration // when
}

func (w *waiting) add(numbers []Range, now time.Duration) {
	if length(numbers) > 0 {
		w.given = append(w.given, held{slices.Clone(numbers), now})
	}
}

// release gives the numbers that nothing is tagged with, of those that wait since a time at which all objects were that
// have been met by now, if there are so many of these.
func (w *waiting) release(met, now time.Duration, fewest uint32,
	carried func() (tags iter.Seq[uint32], known bool)) (free []Range) {
	n := uint32(0)
	for _, g := range w.given {
		if g.at < met {
			n += length(g.numbers)
		}
	}
	if n == 0 || n < fewest {
		return nil
	}
	tags, known := carried()
	if !known {
		return nil
	}
	var list []uint32
	for tag := range tags {
		list = append(list, tag&abi.TagOthers)
	}
	slices.Sort(list)
	left := held{at: now}
	w.given = slices.DeleteFunc(w.given, func(g held) bool {
		if g.at >= met {
			return false
		}
		for _, r := range g.numbers {
			in, others := divide(r, list)
			left.numbers = append(left.numbers, in...)
			for _, r := range others {
				turned, last := w.turn(r)
				free, left.numbers = append(free, turned...), append(left.numbers, last...)
			}
		}
		return true
	})
	if left.numbers = Joined(left.numbers); len(left.numbers) > 0 {
		w.given = append(w.given, left)
	}
	return free
}

// turn has the next turn of tags begin, and gives those that have had their last one apart. Numbers that are no tags
// have no turns.
func (w *waiting) turn(r Range) (turned, last []Range) {
	for r.First < r.End {
		some, ok := w.tags.Again(r)
		if !ok {
			some = Range{r.First, r.First + 1}
		}
		if ok || uint32(r.First) >= abi.TagNone {
			turned = append(turned, some)
		} else {
			last = append(last, some)
		}
		r.First = some.End
	}
	return turned, last
}

// takeEarly gives those that objects may be tagged with, the oldest; none where none wait.
func (w *waiting) takeEarly() (free []Range) {
	if len(w.given) == 0 {
		return nil
	}
	oldest := w.given[0].numbers
	w.given = slices.Delete(w.given, 0, 1)
	w.early += length(oldest)
	for _, r := range oldest {
		turned, last := w.turn(r)
		free = append(append(free, turned...), last...)
	}
	return free
}
