package heap

import (
	"time"

	"mallard/internal/heap/single"
)

// Churn is what the first collection that came to objects found dead, and what they cost, by class.
//
// Sums do not always know it: where a collection has promoted some of a class, or was not a young one, they do not tell
// those that are new from others, and take the oldest to be those that live. Single objects do. But where walks have
// left some of these out many that are dead are not known to be, and sums are nearer to what was.
type Churn struct {
	Lifetimes
	Singly  bool    // from single objects
	Unknown Unknown // of these, where it is from them
	Gaps    single.Gaps
}

// Churn asks what the first collection finds dead: of single objects, where these were recorded and no walk has
// left any out. Rows are in order of that.
func (h *History) Churn(q Query) *Churn {
	answer := &Churn{Lifetimes: *h.lifetimes(q)}
	if each := q; h.singly {
		each.Top = 0
		if ages, err := h.Ages(each); err == nil {
			answer.Gaps = ages.Gaps
			if answer.Gaps.LeftOut == 0 {
				answer.follow(ages)
			}
		}
	}
	answer.Deaths = h.deaths(&q, Start, len(h.Pauses)-1)
	answer.Sited = sited(&q, answer.Rows, func(r LifetimeRow) (Class, Amount) { return r.Class, r.Soon })
	answer.Rows = ranked(h, &q, answer.Rows, func(r LifetimeRow) int64 { return q.value(r.Soon) }, LifetimeRow.Key)
	return answer
}

// follow has the answer be that of single objects. What they cost is a share of the bytes of eden, which sums have.
func (c *Churn) follow(ages *Ages) {
	cost := map[Class]time.Duration{}
	for _, r := range c.Rows {
		cost[r.Class] = r.Cost
	}
	c.Rows = nil
	for _, r := range ages.Rows {
		c.Rows = append(c.Rows, LifetimeRow{r.Class, Lifetime{Met: r.Met, Soon: r.Soon, Cost: cost[r.Class]}})
		delete(cost, r.Class)
	}
	for class, cost := range cost { // of none of them is known when it was born
		c.Rows = append(c.Rows, LifetimeRow{class, Lifetime{Cost: cost}})
	}
	c.Count, c.Met, c.DiedSoon = len(c.Rows), ages.Met, ages.DiedSoon
	c.Singly, c.Unknown = true, ages.Unknown
}
