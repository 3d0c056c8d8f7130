package heap

import (
	"cmp"
	"maps"
	"slices"
)

// classAt is a class in a space.
type classAt struct {
	space Space
	class Class
}

func compareClassesAt(a, b classAt) int {
	return cmp.Or(cmp.Compare(a.space, b.space), cmp.Compare(a.class, b.class))
}

// drawing is what is on a map.
type drawing struct {
	classes map[classAt]Amount
	regions map[regionAt]Region
}

func newDrawing() *drawing {
	return &drawing{map[classAt]Amount{}, map[regionAt]Region{}}
}

// take has changes made to what is drawn.
func (d *drawing) take(m *MapChanges) {
	for _, c := range m.Classes {
		at := classAt{c.Space, c.Class}
		if c.Amount == (Amount{}) {
			delete(d.classes, at)
		} else {
			d.classes[at] = c.Amount
		}
	}
	for _, r := range m.Regions {
		at := regionAt{r.Space, r.Number}
		if r.isEmpty() {
			delete(d.regions, at)
		} else {
			d.regions[at] = r
		}
	}
}

// differ has a map say what is other than what was drawn before.
func (m *MapChanges) differ(before, now *drawing) {
	m.Classes, m.Regions = nil, nil
	for _, at := range others(before.classes, now.classes, compareClassesAt) {
		m.Classes = append(m.Classes, ClassInSpace{at.space, at.class, now.classes[at]})
	}
	for _, at := range others(before.regions, now.regions, compareRegionsAt) {
		r, is := now.regions[at]
		if !is {
			r = Region{Number: at.number, Space: at.space, Largest: Unused}
		}
		m.Regions = append(m.Regions, r)
	}
}

// others gives in order what is not the same in both, or in one alone.
func others[K, V comparable](before, now map[K]V, order func(a, b K) int) []K {
	list := map[K]bool{}
	for k, v := range now {
		if was, is := before[k]; !is || was != v {
			list[k] = true
		}
	}
	for k := range before {
		if _, is := now[k]; !is {
			list[k] = true
		}
	}
	return slices.SortedFunc(maps.Keys(list), order)
}
