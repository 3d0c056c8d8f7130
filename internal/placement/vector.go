package placement

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Term is one coefficient of a Vector.
type Term struct {
	Site int32 // index among the method's sites
	N    int32 // coefficient
}

// Vector is a sparse integer vector over a method's sites: ascending by site,
// without zero coefficients; nil is zero. Vectors are never changed in place.
type Vector []Term

// Unit returns the vector with coefficient 1 at the given sites; a site given
// twice has coefficient 2.
func Unit(sites ...int) Vector {
	var v Vector
	for _, s := range sites {
		v = v.Add(Vector{{int32(s), 1}})
	}
	return v
}

// IsZero reports whether all coefficients are zero.
func (v Vector) IsZero() bool { return len(v) == 0 }

// Equal reports whether v and w are the same.
func (v Vector) Equal(w Vector) bool { return slices.Equal(v, w) }

// Add returns v + w.
func (v Vector) Add(w Vector) Vector { return v.plus(w, 1) }

// Sub returns v − w.
func (v Vector) Sub(w Vector) Vector { return v.plus(w, -1) }

func (v Vector) plus(w Vector, sign int32) Vector {
	if len(w) == 0 {
		return v
	}
	if len(v) == 0 && sign > 0 {
		return w
	}
	if sign < 0 && v.Equal(w) {
		return nil
	}
	sum := make(Vector, 0, len(v)+len(w))
	i, j := 0, 0
	for i < len(v) || j < len(w) {
		switch {
		case j == len(w) || i < len(v) && v[i].Site < w[j].Site:
			sum = append(sum, v[i])
			i++
		case i == len(v) || w[j].Site < v[i].Site:
			sum = append(sum, Term{w[j].Site, sign * w[j].N})
			j++
		default:
			if n := v[i].N + sign*w[j].N; n != 0 {
				sum = append(sum, Term{v[i].Site, n})
			}
			i++
			j++
		}
	}
	if len(sum) == 0 {
		return nil
	}
	return sum
}

// sum returns the sum of vectors given as their terms, which it reorders.
func sum(terms []Term) Vector {
	slices.SortFunc(terms, func(a, b Term) int { return cmp.Compare(a.Site, b.Site) })
	v := terms[:0]
	for i := 0; i < len(terms); {
		t := Term{Site: terms[i].Site}
		for ; i < len(terms) && terms[i].Site == t.Site; i++ {
			t.N += terms[i].N
		}
		if t.N != 0 {
			v = append(v, t)
		}
	}
	if len(v) == 0 {
		return nil
	}
	return v
}

// String writes v as {site:coefficient ...}, {} for zero.
func (v Vector) String() string {
	var s strings.Builder
	s.WriteByte('{')
	for i, t := range v {
		if i > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(strconv.Itoa(int(t.Site)))
		s.WriteByte(':')
		if t.N > 0 {
			s.WriteByte('+')
		}
		s.WriteString(strconv.Itoa(int(t.N)))
	}
	s.WriteByte('}')
	return s.String()
}

// canonical reports whether v is ascending by site and without zeros.
func (v Vector) canonical() bool {
	for i, t := range v {
		if t.N == 0 || i > 0 && v[i-1].Site >= t.Site {
			return false
		}
	}
	return true
}

// fingerprint maps vectors to numbers so that sums map to sums (modulo 2^64).
// Different vectors have different fingerprints but for one pair in 2^64, and a
// pair that has not costs an increment, never a wrong count: semantics are
// computed from the vectors themselves.
func (v Vector) fingerprint() uint64 {
	var sum uint64
	for _, t := range v {
		sum += uint64(int64(t.N)) * mix64(uint64(t.Site))
	}
	return sum
}

// mix64 is the finalizer of the SplitMix64 generator.
func mix64(x uint64) uint64 {
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
