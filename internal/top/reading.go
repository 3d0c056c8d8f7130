package top

import (
	"mallard/internal/export"
	"mallard/internal/heap"
	"mallard/internal/profile"
)

// Reading is what was read of a recording: what was allocated last, and what became of the heap.
type Reading struct {
	export.RatesReport               // without rows
	History            *heap.History // nil where objects were not recorded
}

// Report answers with rows of what was allocated, or, where rows are wanted of the heap and that was recorded, with
// classes in it. Of a query those have the order, how many there are, and the filter of classes.
func (r *Reading) Report(q profile.Query, ofHeap, byGrowth bool) *export.RatesReport {
	report := r.RatesReport
	if !ofHeap || r.History == nil {
		report.Answer = r.Profile.Rows(q)
		return &report
	}
	report.Heap = &export.HeapRates{History: r.History, ByGrowth: byGrowth}
	latest, err := r.History.Latest(heap.Query{By: []heap.By{heap.ByClass}, Sort: q.Sort, Top: q.Top,
		Class: q.Filter.Class}, byGrowth)
	if err == nil {
		report.Heap.Latest = latest
	}
	return &report
}
