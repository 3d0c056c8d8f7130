package view

import (
	"cmp"
	"io"
	"slices"
	"time"

	"mallard/internal/profile"
)

// Timing says when a recording allocated, which may go on: what is new is read, again and again. It numbers the places
// that have allocated as it meets them.
type Timing struct {
	reading *profile.Changes
	places  []profile.Place         // by number
	numbers map[profile.Place]int32 // of those in no context
	first   []int32                 // by node: the number of its last place, -1 for none
	before  []int32                 // by number: that of the same node's place before it

	every   time.Duration // how long an interval is at least
	from    time.Duration // where the current interval begins
	now     []amount      // of the current interval, by number
	touched []int32       // numbers that may have some
	changes changes       // until then
}

// NewTiming begins with the start of a recording.
func NewTiming(recording io.Reader) *Timing {
	return &Timing{reading: profile.NewChanges(recording), numbers: map[profile.Place]int32{}}
}

// Read reads up to where the recording was laid out, and says of each cell when it grew. Cells that have nothing in the
// end may be added. The first time takes as long as reading the recording did. Errors are those of
// profile.Changes.Read.
func (t *Timing) Read(r *Recording) (*Changes, error) {
	t.every = cmp.Or(t.every, r.Profile.Duration/mostIntervals)
	if err := t.reading.Read(r.Profile, t.change, t.snapshot); err != nil {
		return nil, err
	}
	c := &Changes{cells: r.cells, changes: changes{intervals: slices.Clone(t.changes.intervals),
		count: t.changes.count}}
	c.changes.close(t.interval(r.Profile.Duration), t.from)
	c.locate(r, t.places)
	return c, nil
}

func (t *Timing) change(at profile.Place, a profile.Amount) {
	i := t.number(at)
	if t.now[i].isZero() {
		t.touched = append(t.touched, i)
	}
	t.now[i].add(amount{a.Objects, a.Bytes})
}

// number finds or gives the one of a place.
func (t *Timing) number(at profile.Place) int32 {
	n := int32(len(t.places))
	if at.Node < 0 {
		if i, known := t.numbers[at]; known {
			return i
		}
		t.numbers[at] = n
		t.before = append(t.before, -1)
	} else {
		for int(at.Node) >= len(t.first) {
			t.first = append(t.first, -1)
		}
		for i := t.first[at.Node]; i >= 0; i = t.before[i] {
			if t.places[i] == at {
				return i
			}
		}
		t.before = append(t.before, t.first[at.Node])
		t.first[at.Node] = n
	}
	t.places = append(t.places, at)
	t.now = append(t.now, amount{})
	return n
}

// snapshot ends an interval that is long enough.
func (t *Timing) snapshot(at time.Duration) {
	if at-t.from < t.every || at <= t.from {
		return
	}
	i := t.interval(at)
	for _, number := range t.touched {
		t.now[number] = amount{}
	}
	t.touched, t.from = t.touched[:0], at
	c := &t.changes
	c.intervals = append(c.intervals, i)
	c.count += len(i.place)
	for len(c.intervals) > 2 && (c.count > mostChanges || len(c.intervals) > mostIntervals) {
		c.halve()
		t.every *= 2
	}
}

// interval is what there is of the current one.
func (t *Timing) interval(to time.Duration) interval {
	slices.Sort(t.touched)
	t.touched = slices.Compact(t.touched)
	i := interval{to: to}
	for _, number := range t.touched {
		i.add(number, t.now[number].objects, t.now[number].bytes)
	}
	return i
}

// Changes are those of a Recording, ready for SetChanges.
type Changes struct {
	cells   cells // those of the recording, and those that were added
	isMore  bool  // some were
	changes changes
	lines   *lineNumbers // of the cells
}

// locate finds the cells of places.
func (c *Changes) locate(r *Recording, places []profile.Place) {
	type key struct{ context, site, thread int32 }
	added := map[key]int32{}
	c.changes.cells = make([]int32, len(places))
	for number, at := range places {
		c.changes.cells[number] = -1
		context, site, thread, found := r.Profile.Find(at)
		if !found || r.typeOf[site] < 0 {
			continue
		}
		cell := r.cell(context, site, thread)
		if cell < 0 {
			k := key{context, site, thread}
			if i, known := added[k]; known {
				cell = i
			} else {
				cell = int32(len(c.cells.context))
				added[k] = cell
				c.cells.add(context, site, thread, amount{})
			}
		}
		c.changes.cells[number] = cell
	}
	if c.isMore = len(added) > 0; c.isMore {
		ordered, to := c.cells.sorted(len(r.ends))
		c.cells = ordered
		for number, cell := range c.changes.cells {
			if cell >= 0 {
				c.changes.cells[number] = to[cell]
			}
		}
	}
	c.lines = numberLines(r.Profile, &c.cells, r.ends)
}

// cell finds one; -1 for none.
func (r *Recording) cell(context, site, thread int32) int32 {
	for i := r.first[context]; i < r.first[context+1]; i++ {
		if r.cells.site[i] == site && r.cells.thread[i] == thread {
			return i
		}
	}
	return -1
}

// SetChanges has the recording know when it allocated.
func (r *Recording) SetChanges(c *Changes) {
	if c.isMore {
		r.cells = c.cells
		r.index()
	}
	r.changes = &c.changes
	r.recent, r.lines = nil, c.lines
}
