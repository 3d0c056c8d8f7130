package view

import (
	"iter"
	"slices"

	"mallard/internal/profile"
)

// mostRecent is how many selections are kept; of a million contexts each takes some 50 MB.
const mostRecent = 3

// selected answers a query, or remembers the answer.
func (r *Recording) selected(q Query) *selection {
	for i, s := range r.recent {
		if s.query == q {
			copy(r.recent[1:i+1], r.recent[:i])
			r.recent[0] = s
			return s
		}
	}
	s := &selection{query: q, tables: map[string]*table{}, classes: map[bool][]*frame{}}
	s.cells = r.within(q.Span)
	s.all = q.Filter.IsZero() && (q.Span == profile.Span{} || r.changes == nil)
	if !q.Filter.IsZero() {
		s.cells = r.masked(s.cells, r.Profile.Selection(q.Filter))
	}
	r.sum(s)
	r.recent = append([]*selection{s}, r.recent[:min(len(r.recent), mostRecent-1)]...)
	return s
}

// within gives what cells have in a span. It is not to be written to.
func (r *Recording) within(span profile.Span) []amount {
	if r.changes == nil || span == (profile.Span{}) {
		return r.cells.amounts
	}
	first, end := r.changes.between(span)
	inside, list := 0, r.changes.intervals
	for i := first; i < end; i++ {
		inside += len(list[i].place)
	}
	if inside <= r.changes.count/2 {
		sum := make([]amount, len(r.cells.amounts))
		for i := first; i < end; i++ {
			r.changes.apply(sum, &list[i], 1)
		}
		return sum
	}
	sum := slices.Clone(r.cells.amounts)
	for i := range list {
		if i < first || i >= end {
			r.changes.apply(sum, &list[i], -1)
		}
	}
	return sum
}

// masked leaves out what does not pass.
func (r *Recording) masked(of []amount, passes *profile.Selection) []amount {
	left := make([]amount, len(of))
	split(len(of), manyNumbers, func(pieces iter.Seq2[int, int]) {
		for from, to := range pieces {
			for i := from; i < to; i++ {
				if r.cells.passes(i, passes) {
					left[i] = of[i]
				}
			}
		}
	})
	return left
}

// sum adds up what contexts have led to: all cells up to where they end, less all up to where they begin.
func (r *Recording) sum(s *selection) {
	n := len(s.cells)
	pieces := make([]amount, n/manyNumbers+2) // behind each piece of cells: what it has; then what is before it
	split(n, manyNumbers, func(list iter.Seq2[int, int]) {
		for from, to := range list {
			sum := &pieces[from/manyNumbers+1]
			for _, a := range s.cells[from:to] {
				sum.add(a)
			}
		}
	})
	for i := range pieces[1:] {
		pieces[i+1].add(pieces[i])
	}
	s.total = pieces[len(pieces)-1]
	all := r.scratchFor(n + 1) // by cell: what is before it
	all[n] = s.total
	split(n, manyNumbers, func(list iter.Seq2[int, int]) {
		for from, to := range list {
			sum, before := pieces[from/manyNumbers], all[from:to]
			for k, a := range s.cells[from:to] {
				before[k] = sum
				sum.add(a)
			}
		}
	})
	s.sums = make([]amount, len(r.ends))
	split(len(r.ends), manyNumbers, func(list iter.Seq2[int, int]) {
		for from, to := range list {
			for i := from; i < to; i++ {
				before, behind := all[r.first[i]], all[r.first[r.ends[i]]]
				s.sums[i] = amount{behind.objects - before.objects, behind.bytes - before.bytes}
			}
		}
	})
}

// scratchFor has room for so many amounts, until the next time.
func (r *Recording) scratchFor(n int) []amount {
	if len(r.scratch) < n {
		r.scratch = make([]amount, n)
	}
	return r.scratch
}
