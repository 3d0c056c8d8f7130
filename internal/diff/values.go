package diff

import "math"

// Values is one measure of a row, or of a sum, in its recordings, per unit.
type Values struct {
	A, B             float64 // means
	SpreadA, SpreadB float64 // the largest less the smallest; of a side with one recording the other's

	// Noise is how much a change may be and say nothing: the spreads of both sides, added, and twice that where a side
	// has fewer than four recordings.
	//
	// So a change beyond it is larger than what any two recordings of A differ by, and those of B on top of that. Of
	// rows with normally distributed values that do not change, one in a thousand is beyond it with three or four
	// recordings of each side, one in 25 with two. Most rows are the same in all recordings of a side, and of these
	// each change is beyond it.
	Noise float64
}

// Few is the number of recordings of a side from which on spreads are taken as they are: those of fewer are too small,
// by chance, too often.
const Few = 4

// rounding is how much sums and quotients may be wrong, as a part of them.
const rounding = 1e-9

// Change is what B has more; 0 where that may be a matter of rounding.
func (v *Values) Change() float64 {
	if change := v.B - v.A; math.Abs(change) > rounding*max(v.A, v.B) {
		return change
	}
	return 0
}

// IsSure reports whether the change is beyond the noise. With one recording of each side there is none.
func (v *Values) IsSure() bool { return math.Abs(v.Change()) > v.Noise+rounding*max(v.A, v.B) }

func (v *Values) add(o *Values) {
	v.A += o.A
	v.B += o.B
}

// newValues takes the values of the recordings, the first a of which are of side A, and how many units each ran.
func newValues(values []int64, a int, units []float64) (v Values) {
	v.A, v.SpreadA = meanOf(values[:a], units[:a])
	v.B, v.SpreadB = meanOf(values[a:], units[a:])
	b := len(values) - a
	if a == 1 {
		v.SpreadA = v.SpreadB
	}
	if b == 1 {
		v.SpreadB = v.SpreadA
	}
	if v.Noise = v.SpreadA + v.SpreadB; min(a, b) < Few {
		v.Noise *= 2
	}
	return v
}

func meanOf(values []int64, units []float64) (mean, spread float64) {
	least, most := math.Inf(1), math.Inf(-1)
	for i, n := range values {
		value := float64(n) / units[i]
		mean += value / float64(len(values))
		least, most = min(least, value), max(most, value)
	}
	return mean, most - least
}
