package heap

import "mallard/internal/heap/single"

// places has no two objects in one place, and those of a region, or of the old generation, with no others between.
func (c *Check) places(h *History, i int, s *singles) {
	closed, last := map[place]bool{}, place{}
	var before single.Object
	for o := range s.ByAddress() {
		if o.Address == 0 {
			continue
		}
		c.Compared++
		if o.Address < before.Address+uint64(before.Bytes()) {
			c.violate(i, "%s at %#x is inside of %s at %#x", h.Name(s.class(o)), o.Address,
				h.Name(s.class(&before)), before.Address)
		}
		before = *o
		if at := (place{Space(o.Space), 0, o.Region}); at != last {
			closed[last] = true
			if closed[at] && at.space.IsOld() {
				c.violate(i, "%s at %#x is not where the others of its region are", h.Name(s.class(o)), o.Address)
			}
			last = at
		}
	}
}
