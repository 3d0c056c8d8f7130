package view

import (
	"cmp"
	"slices"

	"mallard/internal/profile"
)

// cells are what threads allocated at sites in contexts, by context, site and thread. There may be millions.
type cells struct {
	context, site, thread []int32
	amounts               []amount
}

// add adds a cell.
func (c *cells) add(context, site, thread int32, a amount) {
	c.context, c.site, c.thread = append(c.context, context), append(c.site, site), append(c.thread, thread)
	c.amounts = append(c.amounts, a)
}

// sorted gives the cells in their order, of so many contexts, and where each is then.
func (c *cells) sorted(contexts int) (ordered cells, to []int32) {
	ends := make([]int32, contexts+1) // of those of a context, as far as they have a place
	for _, context := range c.context {
		ends[context+1]++
	}
	for i := range contexts {
		ends[i+1] += ends[i]
	}
	order := make([]int32, len(c.context))
	for i, context := range c.context {
		order[ends[context]] = int32(i)
		ends[context]++
	}
	for begin := 0; begin < len(order); {
		end := int(ends[c.context[order[begin]]])
		if end > begin+1 {
			slices.SortFunc(order[begin:end], func(i, j int32) int {
				return cmp.Or(cmp.Compare(c.site[i], c.site[j]), cmp.Compare(c.thread[i], c.thread[j]))
			})
		}
		begin = end
	}
	to = make([]int32, len(order))
	ordered = newCells(len(order))
	for k, i := range order {
		ordered.add(c.context[i], c.site[i], c.thread[i], c.amounts[i])
		to[i] = int32(k)
	}
	return ordered, to
}

// newCells has room for so many.
func newCells(n int) cells {
	return cells{context: make([]int32, 0, n), site: make([]int32, 0, n), thread: make([]int32, 0, n),
		amounts: make([]amount, 0, n)}
}

// passes reports whether a cell is selected.
func (c *cells) passes(i int, s *profile.Selection) bool {
	thread := c.thread[i]
	return (s.Sites == nil || s.Sites[c.site[i]]) && (s.Contexts == nil || s.Contexts[c.context[i]]) &&
		(s.Threads == nil || thread >= 0 && s.Threads[thread])
}
