package profile

import "mallard/internal/trace"

// negatives counts the counts that are below zero.
type negatives struct{ negative uint64 }

// isNegative reports whether a count is below zero, and notes it: counters begin at zero and grow, so that it is
// damage, and nothing to add up. What counters mean and live frames may be negative, see also
// [trace.CounterKind.MayBeNegative].
func (f *negatives) isNegative(n int64) bool {
	if n < 0 {
		f.negative++
	}
	return n < 0
}

// countsBelowZero is isNegative for records that are taken as a whole or not at all. Unsigned counts are below zero
// where adding them up would take them for such.
func (f *negatives) countsBelowZero(record trace.Record) bool {
	var counts []int64
	switch r := record.(type) {
	case *trace.Mark:
		counts = []int64{int64(r.JVMBytes), int64(r.Bytecodes)}
	case *trace.Allocated:
		counts = []int64{int64(r.Bytes)}
	case *trace.Internal:
		counts = []int64{int64(r.Bytes)}
	case *trace.ClassObjects:
		counts = []int64{int64(r.Objects), int64(r.Elements), int64(r.Bytes)}
	case *trace.Adaptation:
		counts = []int64{r.JVMNanos, r.DecisionNanos, r.Increments, r.Baseline}
	}
	for _, n := range counts {
		if f.isNegative(n) {
			return true
		}
	}
	return false
}
