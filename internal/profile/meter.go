package profile

import "mallard/internal/trace"

// Meter adds up a recording while it is being written.
type Meter struct {
	folder *folder
	sums   map[int32]cell // by site
}

// NewMeter makes a Meter of nothing.
func NewMeter() *Meter {
	m := &Meter{folder: newFolder(), sums: map[int32]cell{}}
	m.folder.changed = func(_ trace.ThreadID, _ int32, c cell) {
		sum := m.sums[c.site]
		sum.objects += c.objects
		sum.elements += c.elements
		sum.bytes += c.bytes
		m.sums[c.site] = sum
	}
	return m
}

// Add takes the next record. What it holds must not change afterwards.
func (m *Meter) Add(r trace.Record) { m.folder.add(r) }

// Total is what has been allocated, and executed, as far as records say. Objects whose size is not known yet are in
// Unsized.
func (m *Meter) Total() (total Amount) {
	sizer := sizer{m.folder.process, &m.folder.symbols.Classes}
	for site, c := range m.sums {
		total.Add(sizer.site(&m.folder.symbols.Sites[site]).amount(c))
	}
	return total
}
