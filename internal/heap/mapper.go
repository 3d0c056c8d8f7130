package heap

import (
	"cmp"
	"maps"
	"slices"
)

// mapper draws maps.
type mapper struct {
	*History
	query    *MapQuery
	selected []bool
	index    []int // by Class: in Classes; -1: it is not told apart

	places  map[place]part // as they were drawn last
	changed map[place]bool // since then
	sums    [Spaces]Amount
	unused  [Spaces]int64
	held    [Spaces][]Amount // of Classes
	regions map[regionAt]Region
}

// part is what a place adds to its space.
type part struct {
	sum     Amount
	unused  int64
	classes []entry // that are told apart, some more than once
}

func newMapper(h *History, q *MapQuery) *mapper {
	m := &mapper{History: h, query: q, selected: h.selects(&q.Query), index: make([]int, len(h.classes.names)),
		places: map[place]part{}, changed: map[place]bool{}, regions: map[regionAt]Region{}}
	for class := range m.index {
		m.index[class] = -1
	}
	for i, class := range q.Classes {
		m.index[class] = i
	}
	for space := range m.held {
		m.held[space] = make([]Amount, len(q.Classes))
	}
	return m
}

// pass takes a pause. What it has not touched is as it was.
func (m *mapper) pass(s *state) {
	for _, h := range []*Heap{s.born, s.gone, s.moved} {
		for at := range h.places {
			m.changed[at] = true
		}
	}
}

// draw draws a heap, and says what there is in all of it.
func (m *mapper) draw(one *MapChanges, heap *Heap) *drawing {
	redrawn := map[regionAt]bool{}
	for at := range m.changed {
		m.redo(at, heap.places[at])
		if m.query.Regions && at.space.IsOld() {
			redrawn[regionAt{at.space, at.region}] = true
		}
	}
	clear(m.changed)
	for at := range redrawn {
		var tables []*table
		for age := range uint8(oldest + 1) {
			if t := heap.places[place{at.space, age, at.number}]; t != nil {
				tables = append(tables, t)
			}
		}
		delete(m.regions, at)
		if r := m.region(at, tables); !r.isEmpty() {
			m.regions[at] = r
		}
	}
	one.Sums, one.Unused = m.sums, m.unused
	d := &drawing{map[classAt]Amount{}, maps.Clone(m.regions)}
	for space := range Space(Spaces) {
		for _, class := range m.most(space) {
			d.classes[classAt{space, class}] = m.held[space][m.index[class]]
		}
	}
	one.Left = max(0, len(d.regions)-MostRegions)
	if one.Left > 0 {
		for _, at := range slices.SortedFunc(maps.Keys(d.regions), func(a, b regionAt) int {
			return cmp.Or(cmp.Compare(d.regions[b].Held.Bytes, d.regions[a].Held.Bytes), compareRegionsAt(a, b))
		})[MostRegions:] {
			delete(d.regions, at)
		}
	}
	return d
}

// redo has a place be as it is now.
func (m *mapper) redo(at place, t *table) {
	was, is := m.places[at], part{}
	delete(m.places, at)
	if t != nil {
		for _, e := range t.entries {
			switch {
			case !m.selected[e.class]:
				continue
			case e.class == Unused:
				is.unused = saturated(is.unused, e.Bytes)
				continue
			case m.index[e.class] >= 0:
				is.classes = append(is.classes, e)
			}
			is.sum = is.sum.plus(e.Amount)
		}
		m.places[at] = is
	}
	m.sums[at.space] = m.sums[at.space].minus(was.sum).plus(is.sum)
	m.unused[at.space] = saturated(m.unused[at.space], is.unused-was.unused)
	held := m.held[at.space]
	for _, e := range was.classes {
		held[m.index[e.class]] = held[m.index[e.class]].minus(e.Amount)
	}
	for _, e := range is.classes {
		held[m.index[e.class]] = held[m.index[e.class]].plus(e.Amount)
	}
}

// most gives the classes of which most is in a space.
func (m *mapper) most(space Space) []Class {
	var list []Class
	for i, class := range m.query.Classes {
		if m.held[space][i] != (Amount{}) {
			list = append(list, class)
		}
	}
	slices.SortFunc(list, func(a, b Class) int {
		return cmp.Or(cmp.Compare(m.query.value(m.held[space][m.index[b]]), m.query.value(m.held[space][m.index[a]])),
			cmp.Compare(m.Name(a), m.Name(b)), cmp.Compare(m.Loader(a), m.Loader(b)), cmp.Compare(a, b))
	})
	return list[:min(len(list), MostInSpace)]
}
