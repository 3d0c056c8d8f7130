package view

import "mallard/internal/profile"

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
func (r *Recording) within(span profile.Span) amounts {
	if r.changes == nil || span == (profile.Span{}) {
		return amounts{r.cells.objects, r.cells.bytes}
	}
	first, end := r.changes.between(span)
	inside, list := 0, r.changes.intervals
	for i := first; i < end; i++ {
		inside += len(list[i].place)
	}
	var sum amounts
	if inside <= r.changes.count/2 {
		sum.grow(len(r.cells.objects))
		for i := first; i < end; i++ {
			r.changes.apply(&sum, &list[i], 1)
		}
		return sum
	}
	sum.objects = append(sum.objects, r.cells.objects...)
	sum.bytes = append(sum.bytes, r.cells.bytes...)
	for i := range list {
		if i < first || i >= end {
			r.changes.apply(&sum, &list[i], -1)
		}
	}
	return sum
}

// masked leaves out what does not pass.
func (r *Recording) masked(of amounts, passes *profile.Selection) amounts {
	var left amounts
	left.grow(len(of.objects))
	c := &r.cells
	for i := range of.objects {
		if c.passes(i, passes) {
			left.objects[i], left.bytes[i] = of.objects[i], of.bytes[i]
		}
	}
	return left
}

// sum adds up what contexts have led to.
func (r *Recording) sum(s *selection) {
	s.sums.grow(len(r.ends))
	for i := len(r.ends) - 1; i >= 0; i-- {
		objects, bytes := s.sums.objects[i], s.sums.bytes[i]
		for k := r.first[i]; k < r.first[i+1]; k++ {
			objects += s.cells.objects[k]
			bytes += s.cells.bytes[k]
		}
		s.sums.objects[i], s.sums.bytes[i] = objects, bytes
		if parent := r.Profile.Contexts[i].Parent; parent >= 0 {
			s.sums.objects[parent] += objects
			s.sums.bytes[parent] += bytes
		} else {
			s.total.add(objects, bytes)
		}
	}
}
