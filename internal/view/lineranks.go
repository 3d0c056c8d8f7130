package view

import (
	"math"
	"slices"
)

// lineRanks finds what lines there are, and which of them each is. Its arrays are used again and again.
type lineRanks struct {
	of          []int32 // of all lines that were added; then where each is in lines
	lines       []int32 // ascending, each once
	least, most int32
	table       []int32 // by line behind the least one: where it is, where there are not many more than were added
}

func (r *lineRanks) begin() {
	r.of, r.lines, r.least, r.most = r.of[:0], r.lines[:0], math.MaxInt32, math.MinInt32
}

func (r *lineRanks) add(line int32) {
	r.of = append(r.of, line)
	r.least, r.most = min(r.least, line), max(r.most, line)
}

func (r *lineRanks) find() {
	if len(r.of) == 0 {
		return
	}
	span := int64(r.most) - int64(r.least) + 1
	if span > 4*int64(len(r.of))+1024 {
		r.sort()
		return
	}
	r.table = slices.Grow(r.table[:0], int(span))[:span]
	clear(r.table)
	for _, line := range r.of {
		r.table[line-r.least] = 1
	}
	for i, is := range r.table {
		if is != 0 {
			r.table[i] = int32(len(r.lines))
			r.lines = append(r.lines, r.least+int32(i))
		}
	}
	for i, line := range r.of {
		r.of[i] = r.table[line-r.least]
	}
}

// sort finds the same where lines are far from each other.
func (r *lineRanks) sort() {
	r.lines = append(r.lines, r.of...)
	slices.Sort(r.lines)
	r.lines = slices.Compact(r.lines)
	for i, line := range r.of {
		rank, _ := slices.BinarySearch(r.lines, line)
		r.of[i] = int32(rank)
	}
}
