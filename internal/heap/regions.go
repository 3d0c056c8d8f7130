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
func (h *History) Map(moment int) []Region {
	type spot struct {
		number uint32
		space  Space
	}
	regions, byClass := map[spot]*Region{}, map[spot]map[Class]int64{}
	for i, s := range h.states(moment) {
		if i < moment {
			continue
		}
		for at, e := range s.heap.all() {
			k := spot{at.region, at.space}
			if regions[k] == nil {
				regions[k] = &Region{Number: at.region, Space: at.space, Largest: Unused}
				byClass[k] = map[Class]int64{}
			}
			if e.class == Unused {
				regions[k].Unused = saturated(regions[k].Unused, e.Bytes)
				continue
			}
			regions[k].Held = regions[k].Held.plus(e.Amount)
			byClass[k][e.class] = saturated(byClass[k][e.class], e.Bytes)
		}
	}
	var list []Region
	for k, r := range regions {
		for class, bytes := range byClass[k] {
			if bytes > r.Bytes || bytes == r.Bytes && (r.Largest == Unused || h.before(class, r.Largest)) {
				r.Largest, r.Bytes = class, bytes
			}
		}
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b Region) int {
		return cmp.Or(cmp.Compare(a.Space, b.Space), cmp.Compare(a.Number, b.Number))
	})
	return list
}

// before reports whether a class comes before another one that has as much.
func (h *History) before(a, b Class) bool {
	return cmp.Or(cmp.Compare(h.Name(a), h.Name(b)), cmp.Compare(h.Loader(a), h.Loader(b))) < 0
}
