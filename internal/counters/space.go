package counters

import (
	"iter"
	"slices"
	"sync"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Space gives classes their counters' numbers, those of unloaded classes again. All numbers are free at first.
//
// A class may count before its definition is in the recording. Until then its numbers are undefined: a value recorded
// before the definition would be taken for one of the class that had the number before.
type Space struct {
	mu        sync.Mutex
	limit     uint32          // of numbers there are
	end       trace.CounterID // no number from here on was ever taken
	free      []Range         // below end, ascending, no two adjacent
	undefined []Range         // taken, without a definition in the recording; few

	waiting waiting
}

// NewSpace makes a space of the numbers below a limit.
func NewSpace(limit uint32) *Space { return &Space{limit: limit, end: abi.FirstCounter} }

// Restrict leaves only the numbers below a limit: the rest of each block is used otherwise. It is called before any is
// taken.
func (s *Space) Restrict(limit uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = min(s.limit, limit)
}

// Begin leaves the numbers below first to code that counted in the JVM for a recorder before, and may have frames that
// still do. It is called before any is taken.
func (s *Space) Begin(first trace.CounterID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if first > s.end {
		s.undefined = append(s.undefined, Range{s.end, first})
		s.end = first
	}
}

// Limit is how many numbers there are.
func (s *Space) Limit() uint32 { return s.limit }

// End is a number from which on none was ever taken.
func (s *Space) End() trace.CounterID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end
}

// Take takes n numbers in a row, the lowest there are: blocks stay small. It is false where no n numbers are left.
func (s *Space) Take(n uint32) (Range, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first, ok := s.find(n)
	for !ok && len(s.waiting.given) > 0 {
		s.free = Joined(append(s.free, s.waiting.takeEarly()...))
		first, ok = s.find(n)
	}
	if !ok {
		return Range{}, false
	}
	r := Range{first, first + trace.CounterID(n)}
	if n > 0 {
		s.undefined = append(s.undefined, r)
	}
	return r, true
}

// TakeSome takes n numbers in a row, or, where there are no n, the most that there are: none that objects may be tagged
// with. It is false where none are left.
func (s *Space) TakeSome(n uint32) (Range, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first, ok := s.find(n)
	if !ok {
		n = s.limit - min(s.limit, uint32(s.end))
		for _, r := range s.free {
			n = max(n, r.Len())
		}
		first, ok = s.find(n)
	}
	if !ok || n == 0 {
		return Range{}, false
	}
	r := Range{first, first + trace.CounterID(n)}
	s.undefined = append(s.undefined, r)
	return r, true
}

func (s *Space) find(n uint32) (first trace.CounterID, ok bool) {
	for i := range s.free {
		f := &s.free[i]
		if f.Len() < n {
			continue
		}
		first = f.First
		if f.First += trace.CounterID(n); f.First == f.End {
			s.free = slices.Delete(s.free, i, i+1)
		}
		return first, true
	}
	first, last := s.end, len(s.free)-1
	if last >= 0 && s.free[last].End == s.end {
		first = s.free[last].First
	}
	if uint64(first)+uint64(n) > uint64(s.limit) {
		return 0, false
	}
	if first < s.end {
		s.free = s.free[:last]
	}
	s.end = first + trace.CounterID(n)
	return first, true
}

// Free takes numbers back that nobody has used.
func (s *Space) Free(numbers []Range) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(numbers)
}

// GiveBack takes numbers back that were used, of classes that are gone; now is since the recording began.
func (s *Space) GiveBack(numbers []Range, now time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting.tags == nil {
		s.put(numbers)
		return
	}
	s.waiting.add(numbers, now)
	s.defineAll(numbers)
}

// Hold has numbers that are given back be free only when Release says that no object is tagged with them; then they
// have their next turn as tags.
func (s *Space) Hold(tags *Tags) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting.tags = tags
}

// Release has numbers be free that were given back before a time, if all objects that there were by then have been met
// by now. It asks which tags objects may have, in whatever turn, only where so many numbers wait that it is worth it: a
// sixteenth of all. False: that is not known.
func (s *Space) Release(met, now time.Duration, carried func() (tags iter.Seq[uint32], known bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = Joined(append(s.free, s.waiting.release(met, now, s.limit/16, carried)...))
}

// Early is how many numbers were taken though objects may be tagged with them: there were no others.
func (s *Space) Early() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting.early
}

func (s *Space) put(numbers []Range) {
	s.free = Joined(append(s.free, numbers...))
	s.defineAll(numbers)
}

func (s *Space) defineAll(numbers []Range) {
	for _, r := range numbers {
		s.define(r)
	}
}

// Define says that numbers have a definition, which has been put into the recording.
func (s *Space) Define(numbers Range) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.define(numbers)
}

func (s *Space) define(numbers Range) {
	var left []Range
	for _, o := range s.undefined {
		for _, part := range []Range{{o.First, min(o.End, numbers.First)}, {max(o.First, numbers.End), o.End}} {
			if part.First < part.End {
				left = append(left, part)
			}
		}
	}
	s.undefined = left
}

// Undefined lists the numbers that have no definition.
func (s *Space) Undefined() Undefined {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.undefined)
}

// Undefined is a list of numbers whose definition was not recorded when it was made.
type Undefined []Range

// Has reports whether a number is in the list.
func (o Undefined) Has(c trace.CounterID) bool {
	for _, r := range o {
		if r.First <= c && c < r.End {
			return true
		}
	}
	return false
}
