package profile

import "mallard/internal/trace"

// RunningTotal adds up a recording while it is being written.
type RunningTotal struct {
	folder *folder
	sums   map[int32]cell // by site
}

// NewRunningTotal makes a RunningTotal of nothing.
func NewRunningTotal() *RunningTotal {
	t := &RunningTotal{folder: newFolder(), sums: map[int32]cell{}}
	t.folder.changed = func(_ trace.ThreadID, _ int32, c cell) {
		sum := t.sums[c.site]
		sum.objects += c.objects
		sum.elements += c.elements
		sum.bytes += c.bytes
		t.sums[c.site] = sum
	}
	return t
}

// Add takes the next record. What it holds must not change afterwards.
func (t *RunningTotal) Add(r trace.Record) { t.folder.add(r) }

// Total is what has been allocated, and executed, as far as records say. Objects whose size is not known yet are in
// Unsized.
func (t *RunningTotal) Total() (total Amount) {
	sizer := sizer{t.folder.process, &t.folder.symbols.Classes}
	for site, c := range t.sums {
		total.Add(sizer.site(&t.folder.symbols.Sites[site]).amount(c))
	}
	return total
}
