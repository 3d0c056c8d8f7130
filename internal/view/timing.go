package view

import (
	"io"
	"slices"
	"time"

	"mallard/internal/profile"
)

// ReadChanges reads the recording again and says of each cell when it grew. Cells that have nothing in the end may be
// added. It takes as long as reading the recording did.
func (r *Recording) ReadChanges(recording io.Reader) (*Changes, error) {
	t := &timing{recording: r, cells: r.cells, added: map[place]int32{}, every: r.Profile.Duration / mostIntervals}
	t.now.grow(len(r.cells.context))
	err := r.Profile.Changes(recording, t.change, t.snapshot)
	if err != nil {
		return nil, err
	}
	t.end(r.Profile.Duration)
	if len(t.added) == 0 {
		t.lines = r.numberLines()
	}
	return &Changes{t}, nil
}

// Changes are those of a Recording, ready for SetChanges.
type Changes struct{ timing *timing }

// SetChanges has the recording know when it allocated.
func (r *Recording) SetChanges(c *Changes) {
	t := c.timing
	if len(t.added) > 0 {
		ordered, to := t.cells.sorted(len(r.ends))
		r.cells = ordered
		for i := range t.changes.intervals {
			t.changes.intervals[i].renumber(to)
		}
		r.index()
	}
	r.changes = &t.changes
	r.recent, r.lines = nil, t.lines
}

// timing is changes while they are read.
type timing struct {
	recording *Recording
	cells     cells // those of the recording, and those that were added
	added     map[place]int32
	every     time.Duration
	from      time.Duration // where the current interval begins
	now       amounts       // of the current interval, by cell
	touched   []int32       // cells that may have some
	changes   changes
	lines     *lineNumbers // of the cells; nil where some were added
}

// place is what makes a cell another one.
type place struct{ context, site, thread int32 }

func (t *timing) change(c profile.Change) {
	if t.recording.typeOf[c.Site] < 0 {
		return
	}
	cell := t.cell(place{c.Context, c.Site, c.Thread})
	if t.now.objects[cell] == 0 && t.now.bytes[cell] == 0 {
		t.touched = append(t.touched, cell)
	}
	t.now.objects[cell] += c.Amount.Objects
	t.now.bytes[cell] += c.Amount.Bytes
}

// cell finds or adds the one of a place.
func (t *timing) cell(at place) int32 {
	r := t.recording
	for i := r.first[at.context]; i < r.first[at.context+1]; i++ {
		if t.cells.site[i] == at.site && t.cells.thread[i] == at.thread {
			return i
		}
	}
	i, known := t.added[at]
	if !known {
		i = int32(len(t.cells.context))
		t.added[at] = i
		t.cells.add(at.context, at.site, at.thread, 0, 0)
		t.now.grow(int(i) + 1)
	}
	return i
}

func (t *timing) snapshot(at time.Duration) {
	if at-t.from >= t.every && at > t.from {
		t.end(at)
	}
}

// end ends an interval. What comes behind the last snapshot belongs to the last interval where no time has passed.
func (t *timing) end(at time.Duration) {
	slices.Sort(t.touched)
	i := interval{to: at}
	for _, cell := range slices.Compact(t.touched) {
		i.add(cell, t.now.objects[cell], t.now.bytes[cell])
		t.now.objects[cell], t.now.bytes[cell] = 0, 0
	}
	t.touched = t.touched[:0]
	c := &t.changes
	if last := len(c.intervals) - 1; last >= 0 && at <= t.from {
		i = merged(&c.intervals[last], &i)
		c.intervals = c.intervals[:last]
	}
	c.intervals = append(c.intervals, i)
	t.from = at
	c.count += len(i.cell)
	for c.count > mostChanges && len(c.intervals) > 2 {
		c.halve()
		t.every *= 2
	}
}
