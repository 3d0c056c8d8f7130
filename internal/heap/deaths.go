package heap

// Deaths are the objects that died between two moments: held at the first one, or born since, and not held at the
// second one. An object that had no site when it was seen last, or of which others of its site died when it got it, is
// taken for one without: Sited is a lower bound.
type Deaths struct {
	All   Amount
	Sited Amount // of these, those whose site is known
}

// deaths gives those of the classes that a query selects; nil where it is not about sites, or objects have no tags.
func (h *History) deaths(q *Query, from, to int) *Deaths {
	if !h.knowsDeaths(q) {
		return nil
	}
	return deathsOf(q.Counts, h.changes(from, to, &Query{By: []By{BySite}, Class: q.Class}))
}

func (h *History) knowsDeaths(q *Query) bool { return q.Counts != nil && h.IsTagged() }

// deathsOf adds up what has changed, of any places.
func deathsOf(counts *Counts, c *changed) *Deaths {
	died := map[Class]Amount{}
	for k, d := range c.sums {
		died[k.Class] = died[k.Class].plus(d.Died())
	}
	sum := &Deaths{}
	for class, a := range died {
		a = a.atMost(a) // there may be more than there were, where what is unused is of a class
		sum.All = sum.All.plus(a)
		if counts.Site(class) != nil {
			sum.Sited = sum.Sited.plus(a)
		}
	}
	return sum
}
