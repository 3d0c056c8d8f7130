package heap

import "cmp"

// Maps are what was where at moments one behind the other, for who draws any of them: of each what is other than at the
// one before. They are of a bounded size: where they would be larger there are fewer of them.
type Maps struct {
	Maps  []MapChanges // in the order of time
	Every int          // one in so many of the moments that were asked for has a map
}

// Maps asks what was where at some moments, each as Held and Map have it.
func (h *History) Maps(q MapQuery) *Maps {
	list := &Maps{Every: 1}
	if len(q.Moments) == 0 {
		return list
	}
	m, before := newMapper(h, &q), newDrawing()
	words, named, next := 0, map[Class]bool{}, 0
	for i, s := range h.states(q.Moments[len(q.Moments)-1]) {
		m.pass(s)
		if i < q.Moments[next] {
			continue
		}
		index := next
		next++
		if !q.keeps(index, list.Every) {
			continue
		}
		one := MapChanges{Moment: i, index: index}
		now := m.draw(&one, s.heap)
		one.differ(before, now)
		before = now
		list.Maps = append(list.Maps, one)
		words += one.words(named)
		for words > cmp.Or(q.Words, MostMapWords) && list.Every < len(q.Moments) {
			list.Every *= 2
			before = list.thin(&q)
			words, named = 0, map[Class]bool{}
			for k := range list.Maps {
				words += list.Maps[k].words(named)
			}
		}
	}
	return list
}

// Left is how many regions are left out where these are most.
func (m *Maps) Left() (most int) {
	for i := range m.Maps {
		most = max(most, m.Maps[i].Left)
	}
	return most
}

// thin leaves out those that are too many, and gives what is on the last one that is left.
func (m *Maps) thin(q *MapQuery) (before *drawing) {
	now, before := newDrawing(), newDrawing()
	kept := m.Maps[:0]
	for _, one := range m.Maps {
		now.take(&one)
		if q.keeps(one.index, m.Every) {
			one.differ(before, now)
			before.take(&one)
			kept = append(kept, one)
		}
	}
	m.Maps = kept
	return before
}
