package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Spread is a median with the smallest and largest value. The median of an even number of values is the mean of the two
// in the middle.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

func (s Spread) String() string { return s.text("%.2f") }

// text prints the three values in a format. One value, or equal ones, have no spread.
func (s Spread) text(format string) string {
	median := fmt.Sprintf(format, s.Median)
	if s.Min == s.Max {
		return median
	}
	return fmt.Sprintf("%s ("+format+"–"+format+")", median, s.Min, s.Max)
}

// spread of at least one value.
func spread(values []float64) Spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return Spread{Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Min: sorted[0], Max: sorted[n-1]}
}

// median of values; not a number for none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return spread(values).Median
}

// quantile returns the smallest value that at least the fraction q of the sorted values does not exceed.
func quantile[T cmp.Ordered](sorted []T, q float64) T {
	rank := int(math.Ceil(q * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

// geometricMean of positive values; not a number for none.
func geometricMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}

// number prints a value, or nothing for what is not a number.
func number(format string, value float64) string {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return ""
	}
	return fmt.Sprintf(format, value)
}
