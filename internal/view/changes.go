package view

import (
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
	count     int     // of all changes
	cells     []int32 // by number of a place: its cell; -1 for none
}

// interval is a time from one snapshot to another, and what each place has more behind it.
type interval struct {
	to             time.Duration
	place          []int32 // numbers, ascending
	objects, bytes []int64
}

func (i *interval) add(place int32, objects, bytes int64) {
	if objects != 0 || bytes != 0 {
		i.place, i.objects, i.bytes = append(i.place, place), append(i.objects, objects), append(i.bytes, bytes)
	}
}

// close adds the last interval, given where it begins. What comes behind the last snapshot belongs to the interval
// before where no time has passed.
func (c *changes) close(i interval, from time.Duration) {
	c.count += len(i.place)
	if last := len(c.intervals) - 1; last >= 0 && i.to <= from {
		i = merged(&c.intervals[last], &i)
		c.intervals = c.intervals[:last]
	}
	c.intervals = append(c.intervals, i)
}

// halve makes one interval of two. Those that there were stay as they are for who has them.
func (c *changes) halve() {
	half := c.intervals[:0]
	c.count = 0
	for i := 0; i < len(c.intervals); i += 2 {
		one := c.intervals[i]
		if i+1 < len(c.intervals) {
			one = merged(&one, &c.intervals[i+1])
		}
		half = append(half, one)
		c.count += len(one.place)
	}
	clear(c.intervals[len(half):])
	c.intervals = half
}

// merged is two intervals that follow each other as one.
func merged(a, b *interval) interval {
	sum := interval{to: b.to}
	for i, k := 0, 0; i < len(a.place) || k < len(b.place); {
		switch {
		case k == len(b.place) || i < len(a.place) && a.place[i] < b.place[k]:
			sum.add(a.place[i], a.objects[i], a.bytes[i])
			i++
		case i == len(a.place) || b.place[k] < a.place[i]:
			sum.add(b.place[k], b.objects[k], b.bytes[k])
			k++
		default:
			sum.add(a.place[i], a.objects[i]+b.objects[k], a.bytes[i]+b.bytes[k])
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

// apply adds an interval so many times to amounts by cell.
func (c *changes) apply(to []amount, i *interval, times int64) {
	for k, place := range i.place {
		if cell := c.cells[place]; cell >= 0 {
			to[cell].add(amount{times * i.objects[k], times * i.bytes[k]})
		}
	}
}
