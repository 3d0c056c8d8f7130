package view

import (
	"slices"
	"time"

	"mallard/internal/profile"
)

// mostIntervals bounds how finely time is divided, and mostChanges the memory for it: where there are more, two
// intervals become one.
const (
	mostIntervals = 240
	mostChanges   = 8 << 20
)

// changes are what was allocated when.
type changes struct {
	intervals []interval
	count     int // of all changes
}

// interval is a time from one snapshot to another, and what each cell has more behind it.
type interval struct {
	to             time.Duration
	cell           []int32 // ascending
	objects, bytes []int64
}

func (i *interval) add(cell int32, objects, bytes int64) {
	if objects != 0 || bytes != 0 {
		i.cell, i.objects, i.bytes = append(i.cell, cell), append(i.objects, objects), append(i.bytes, bytes)
	}
}

// renumber gives cells other numbers.
func (i *interval) renumber(to []int32) {
	order := make([]int32, len(i.cell))
	for k := range i.cell {
		i.cell[k], order[k] = to[i.cell[k]], int32(k)
	}
	slices.SortFunc(order, func(a, b int32) int { return int(i.cell[a] - i.cell[b]) })
	sorted := interval{to: i.to}
	for _, k := range order {
		sorted.add(i.cell[k], i.objects[k], i.bytes[k])
	}
	*i = sorted
}

// halve makes one interval of two.
func (c *changes) halve() {
	half := c.intervals[:0]
	c.count = 0
	for i := 0; i < len(c.intervals); i += 2 {
		one := c.intervals[i]
		if i+1 < len(c.intervals) {
			one = merged(&one, &c.intervals[i+1])
		}
		half = append(half, one)
		c.count += len(one.cell)
	}
	clear(c.intervals[len(half):])
	c.intervals = half
}

// merged is two intervals that follow each other as one.
func merged(a, b *interval) interval {
	sum := interval{to: b.to}
	for i, k := 0, 0; i < len(a.cell) || k < len(b.cell); {
		switch {
		case k == len(b.cell) || i < len(a.cell) && a.cell[i] < b.cell[k]:
			sum.add(a.cell[i], a.objects[i], a.bytes[i])
			i++
		case i == len(a.cell) || b.cell[k] < a.cell[i]:
			sum.add(b.cell[k], b.objects[k], b.bytes[k])
			k++
		default:
			sum.add(a.cell[i], a.objects[i]+b.objects[k], a.bytes[i]+b.bytes[k])
			i, k = i+1, k+1
		}
	}
	return sum
}

// between gives the intervals of a span, as profile.Span has it: they begin behind the first that ends at from or
// later, and end with the first that ends at to or later.
func (c *changes) between(span profile.Span) (first, end int) {
	for first < len(c.intervals) && span.From > 0 && c.intervals[first].to < span.From {
		first++
	}
	if span.From > 0 {
		first++
	}
	first = min(first, len(c.intervals))
	if span.To <= 0 {
		return first, len(c.intervals)
	}
	for end < len(c.intervals) && c.intervals[end].to < span.To {
		end++
	}
	return first, max(first, min(end+1, len(c.intervals)))
}

// apply adds an interval so many times.
func (a *amounts) apply(i *interval, times int64) {
	for k, cell := range i.cell {
		a.objects[cell] += times * i.objects[k]
		a.bytes[cell] += times * i.bytes[k]
	}
}
