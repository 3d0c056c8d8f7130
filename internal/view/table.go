package view

import (
	"container/heap"
	"iter"
	"slices"
	"sync"
)

// table is rows of a kind, those with nothing among them, in the order of their titles. There may be a million: a Row
// is made for those that are asked for.
type table struct {
	amounts []rowAmounts
	row     func(i int32) Row // without amounts

	// Titles that many rows share but for their ends; nil where row says all. Groups have numbers below groups.
	ending func(i int32) (group int32, front, rest string)
	groups int
}

// rowAmounts are the objects and bytes of a row.
type rowAmounts struct{ self, all [2]int64 }

// search gives what tells the rows that match.
func (t *table) search(p *pattern) func(i int32) bool {
	if t.ending == nil {
		return func(i int32) bool {
			row := t.row(i)
			return p.matches(row.Title) || row.Class != "" && p.matches(row.Class)
		}
	}
	const matches, differs = 1, 2
	fronts := make([]uint8, t.groups)
	return func(i int32) bool {
		group, front, rest := t.ending(i)
		if fronts[group] == 0 {
			fronts[group] = differs
			if p.expression == nil && p.matches(front) {
				fronts[group] = matches
			}
		}
		return fronts[group] == matches || p.matchesEnd(front, rest)
	}
}

// first keeps the first of many numbers in an order.
type first struct {
	less func(i, j int32) int
	most int
	list []int32 // a heap, the last of them first
}

// takeAll takes those of n numbers that pass, and says how many did. Each goroutine has its own test.
func (f *first) takeAll(n int, test func() (passes func(i int32) bool)) (count int) {
	var adding sync.Mutex
	split(n, manyNumbers, func(pieces iter.Seq2[int, int]) {
		mine, passed, passes := first{less: f.less, most: f.most}, 0, test()
		for from, to := range pieces {
			for i := from; i < to; i++ {
				if passes(int32(i)) {
					passed++
					mine.take(int32(i))
				}
			}
		}
		adding.Lock()
		defer adding.Unlock()
		count += passed
		for _, i := range mine.list {
			f.take(i)
		}
	})
	return count
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
