package replica

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// maxWhole is how many different contents of stacks are kept: some 3 MB. Beyond, one half of all objects is given up,
// drawn at random, and of those that come the same share is, so that what is kept stays a sample of all.
const maxWhole = 1 << 16

// Whole is what is known of objects that were looked at whole, drawn at random from those of a row.
type Whole struct {
	Objects  int64 // that were looked at
	Contents int64 // different ones of them
	Once     int64 // contents that one of them had
	Twice    int64 // and two
	Most     int64 // objects with the contents that most had
}

// AddWhole adds an object that was looked at whole, by a hash of its contents.
func (s *Samples) AddWhole(made uint32, hash uint64) {
	if rand.Uint64()&(1<<s.wholeLevel-1) != 0 {
		return
	}
	s.addWhole(made, hash, 1)
	for s.contents > maxWhole {
		s.thin()
	}
}

func (s *Samples) addWhole(made uint32, hash uint64, objects int64) {
	of := s.whole[made]
	if of == nil {
		of = map[uint64]int64{}
		s.whole[made] = of
	}
	if of[hash] == 0 {
		s.contents++
	}
	of[hash] = plus(of[hash], objects)
}

// thin gives up one half of all objects.
func (s *Samples) thin() {
	s.wholeLevel++
	for made, of := range s.whole {
		for hash, n := range of {
			if of[hash] = half(n); of[hash] == 0 {
				delete(of, hash)
				s.contents--
			}
		}
		if len(of) == 0 {
			delete(s.whole, made)
		}
	}
}

// half is how many of n are left where each is with a probability of one half.
func half(n int64) (left int64) {
	for ; n >= 64; n -= 64 {
		left += int64(bits.OnesCount64(rand.Uint64()))
	}
	return left + int64(bits.OnesCount64(rand.Uint64()&(1<<n-1)))
}

// newWhole counts contents by how many objects have them.
func newWhole(objects map[uint64]int64) (w Whole) {
	for _, n := range objects {
		w.Objects = plus(w.Objects, n)
		w.Contents++
		w.Most = max(w.Most, n)
		switch n {
		case 1:
			w.Once++
		case 2:
			w.Twice++
		}
	}
	return w
}

// WholeEstimate is what objects that were looked at whole say of all objects of a row. All are shares as they were
// drawn, which is by bytes: of the bytes, and so of objects that have one size. They are from 0 to 1, NaN where none
// was looked at.
type WholeEstimate struct {
	// what keeping one of each contents would save: more, where there are many contents, few objects of each
	Repeated    float64
	RepeatedLow float64 // it is not less, with 95 % of certainty
	Largest     float64 // what has the contents which most of those looked at have
}

// Estimate says what follows for so many objects, 0 where that is not known. The probability that the next object has
// contents which were met is 1 minus the share of those that were met once (Good, 1953; its variance: Esty, 1983). Of
// what was met more often one is kept.
func (w Whole) Estimate(objects int64) WholeEstimate {
	nan := math.NaN()
	if w.Objects == 0 {
		return WholeEstimate{nan, nan, nan}
	}
	n, once := float64(w.Objects), float64(w.Once)
	met := 1 - once/n
	low, _ := wilson(met, n)
	spread := certain * math.Sqrt(once*(1-once/n)+2*float64(w.Twice)) / n
	saved := func(met float64) float64 {
		if objects == 0 {
			return max(met, 0)
		}
		all := float64(max(objects, w.Objects))
		return max(met*all-float64(w.Contents-w.Once), float64(w.Objects-w.Contents)) / all
	}
	return WholeEstimate{saved(met), saved(min(low, met-spread)), float64(w.Most) / n}
}
