package heapgraph

import (
	"mallard/internal/heap"
	"mallard/internal/profile"
)

// plus adds. Sums cannot be too large: objects are at addresses below maxAddress, and never at the same.
func plus(a, b heap.Amount) heap.Amount {
	return heap.Amount{Objects: a.Objects + b.Objects, Bytes: a.Bytes + b.Bytes}
}

// value is what an amount is sorted by.
func value(q *heap.Query, a heap.Amount) int64 {
	if q.Sort == profile.SortObjects {
		return a.Objects
	}
	return a.Bytes
}

// top keeps the rows that are asked for.
func top[T any](q *heap.Query, list []T) []T {
	if q.Top > 0 {
		return list[:min(q.Top, len(list))]
	}
	return list
}
