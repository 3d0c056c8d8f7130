package heap

import (
	"cmp"
	"slices"
)

// Region is one of G1's regions of the old generation, or those behind one another that a humongous object is in; or
// all of a space that has none.
type Region struct {
	Number  uint32 // the first one's; 0 of other spaces
	Space   Space
	Held    Amount // objects
	Unused  int64  // bytes that are none, as far as they are known
	Largest Class  // of which most bytes are there; Unused if there is none
	Bytes   int64  // of that class
}

// Regions asks what was held at a moment in the old generation of a recording with G1, by region, in the order of their
// numbers.
func (h *History) Regions(moment int) []Region {
	list := slices.DeleteFunc(h.Map(moment), func(r Region) bool { return !r.Space.IsOld() })
	slices.SortFunc(list, func(a, b Region) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Space, b.Space))
	})
	return list
}

// Map asks what was held at a moment, by space, and with G1 by region where it is old. Which regions eden and survivor
// spaces have is not known.
func (h *History) Map(moment int) (list []Region) {
	for i, s := range h.states(moment) {
		if i < moment {
			continue
		}
		places := map[regionAt][]*table{}
		for at, t := range s.heap.places {
			if k := (regionAt{at.space, at.region}); len(t.entries) > 0 {
				places[k] = append(places[k], t)
			}
		}
		for at, tables := range places {
			list = append(list, h.region(at, tables))
		}
	}
	slices.SortFunc(list, func(a, b Region) int {
		return compareRegionsAt(regionAt{a.Space, a.Number}, regionAt{b.Space, b.Number})
	})
	return list
}

// regionAt is a region, or a space that has none.
type regionAt struct {
	space  Space
	number uint32
}

func compareRegionsAt(a, b regionAt) int {
	return cmp.Or(cmp.Compare(a.space, b.space), cmp.Compare(a.number, b.number))
}

// region adds up what is in the places of one.
func (h *History) region(at regionAt, places []*table) Region {
	r, byClass := Region{Number: at.number, Space: at.space, Largest: Unused}, map[Class]int64{}
	for _, t := range places {
		for _, e := range t.entries {
			if e.class == Unused {
				r.Unused = saturated(r.Unused, e.Bytes)
				continue
			}
			r.Held = r.Held.plus(e.Amount)
			byClass[e.class] = saturated(byClass[e.class], e.Bytes)
		}
	}
	for class, bytes := range byClass {
		if bytes > r.Bytes || bytes == r.Bytes && (r.Largest == Unused || h.before(class, r.Largest)) {
			r.Largest, r.Bytes = class, bytes
		}
	}
	return r
}

// isEmpty reports whether nothing is there.
func (r *Region) isEmpty() bool { return r.Held == (Amount{}) && r.Unused == 0 }

// before reports whether a class comes before another one that has as much.
func (h *History) before(a, b Class) bool {
	return cmp.Or(cmp.Compare(h.Name(a), h.Name(b)), cmp.Compare(h.Loader(a), h.Loader(b))) < 0
}
