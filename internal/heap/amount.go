package heap

import "math"

// Amount is objects, and the bytes that they take on the heap, headers and alignment included.
type Amount struct{ Objects, Bytes int64 }

// plus adds. What would be too much for an int64 stays at its limit: recordings may lie.
func (a Amount) plus(b Amount) Amount {
	return Amount{saturated(a.Objects, b.Objects), saturated(a.Bytes, b.Bytes)}
}

func saturated(a, b int64) int64 {
	switch sum := a + b; {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0:
		return math.MinInt64
	default:
		return sum
	}
}

func (a Amount) minus(b Amount) Amount { return a.plus(Amount{-b.Objects, -b.Bytes}) }

// atMost gives the smaller of each, and nothing below zero.
func (a Amount) atMost(b Amount) Amount {
	return Amount{max(0, min(a.Objects, b.Objects)), max(0, min(a.Bytes, b.Bytes))}
}

// isNegative reports whether there are fewer than none.
func (a Amount) isNegative() bool { return a.Objects < 0 || a.Bytes < 0 }

// Sum adds amounts.
func Sum(list ...Amount) (sum Amount) {
	for _, a := range list {
		sum = sum.plus(a)
	}
	return sum
}
