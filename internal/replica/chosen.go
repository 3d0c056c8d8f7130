package replica

import (
	"mallard/internal/heap"
	"mallard/internal/profile"
)

// Choose forgets all but what is known to be made by methods that were chosen, if any were. What others have made is
// hashed as long as the agent does not know, and so is what has no tag.
func (t *Totals) Choose(h *heap.History, p *profile.Profile) {
	if t.Methods == "" {
		return
	}
	sites := h.BySites(p.Tagged)
	counts := heap.NewCounts(sites, p)
	for number, c := range t.classes {
		site := counts.Site(c.in(sites, number))
		if site == nil || !profile.MatchName(t.Methods, site.Class+"."+site.Method) {
			t.drop(number)
		}
	}
}
