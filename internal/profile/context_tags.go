package profile

import (
	"cmp"
	"math"
	"slices"

	"mallard/internal/trace"
)

// tags lists the tags of sites in contexts; nil where there are no contexts. Where one was given more often than once
// it is that of the last.
func (c *contextCounts) tags() (list []contextTag) {
	if c.Tracked {
		list = []contextTag{}
	}
	for i := range c.counts {
		for _, v := range c.valuesOf(int32(i)) {
			m := c.methods[c.Nodes[i].Method].counters[v.counter].meaning
			if m.kind == trace.Tag && len(m.terms) == 1 && v.value > 0 && v.value <= math.MaxUint32 {
				list = append(list, contextTag{uint32(v.value), m.terms[0].site, int32(i), c.counts[i].thread})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b contextTag) int { return cmp.Compare(a.tag, b.tag) })
	return list
}
