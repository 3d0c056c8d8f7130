package view

import (
	"container/heap"
	"slices"
)

// table is rows of a kind, those with nothing among them, in the order of their titles. There may be a million: a Row
// is made for those that are asked for.
type table struct {
	amounts []rowAmounts
	row     func(i int32) Row    // without amounts
	title   func(i int32) string // of a row; nil: row says it
}

// rowAmounts are the objects and bytes of a row.
type rowAmounts struct{ self, all [2]int64 }

func (t *table) matches(i int32, matches func(string) bool) bool {
	if t.title != nil {
		return matches(t.title(i))
	}
	row := t.row(i)
	return matches(row.Title) || row.Class != "" && matches(row.Class)
}

// first keeps the first of many numbers in an order.
type first struct {
	less func(i, j int32) int
	most int
	list []int32 // a heap, the last of them first
}

func (f *first) take(i int32) {
	switch {
	case len(f.list) < f.most:
		heap.Push(f, i)
	case f.most > 0 && f.less(i, f.list[0]) < 0:
		f.list[0] = i
		heap.Fix(f, 0)
	}
}

func (f *first) sorted() []int32 {
	slices.SortFunc(f.list, f.less)
	return f.list
}

func (f *first) Len() int           { return len(f.list) }
func (f *first) Less(i, j int) bool { return f.less(f.list[i], f.list[j]) > 0 }
func (f *first) Swap(i, j int)      { f.list[i], f.list[j] = f.list[j], f.list[i] }
func (f *first) Push(i any)         { f.list = append(f.list, i.(int32)) }

func (f *first) Pop() any {
	last := f.list[len(f.list)-1]
	f.list = f.list[:len(f.list)-1]
	return last
}
