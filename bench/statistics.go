package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Spread is a median with the smallest and largest value.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

func (s Spread) String() string {
	return fmt.Sprintf("%.2f (%.2f–%.2f)", s.Median, s.Min, s.Max)
}

// spread sorts the values, of which there is at least one.
func spread(values []float64) Spread {
	slices.Sort(values)
	return Spread{Median: quantile(values, 0.5), Min: values[0], Max: values[len(values)-1]}
}

// quantile returns the smallest value that at least the fraction q of the sorted values does not exceed.
func quantile[T cmp.Ordered](sorted []T, q float64) T {
	rank := int(math.Ceil(q * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

// geometricMean of positive values; 0 for none.
func geometricMean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}
