package profile

import (
	"cmp"
	"slices"
	"strings"

	"mallard/internal/symbols"
)

// publish makes the Check, given the new indexes of contexts.
func (c *checker) publish(renumbered []int32) {
	type key struct {
		context int32
		class   string
	}
	check := &Check{Arrays: c.arrays, Certain: c.certain}
	types, contexts := map[string]*CheckedType{}, map[key]*CheckDifference{}
	for i := range c.rows {
		row := &c.rows[i]
		row.Type = c.f.symbols.Intern(symbols.TypeName(row.Type))
		check.Rule += row.Rule
		check.Counted += row.Counted
		for r, n := range row.Reasons {
			check.Reasons[r] += n
		}
		if types[row.Type] == nil {
			types[row.Type] = &CheckedType{Type: row.Type}
		}
		types[row.Type].add(&row.CheckedType)
		k := key{renumbered[row.Context], row.Type}
		if contexts[k] == nil {
			contexts[k] = &CheckDifference{Context: k.context, CheckedType: CheckedType{Type: row.Type}}
		}
		contexts[k].add(&row.CheckedType)
	}
	check.Compared = len(contexts)
	for _, t := range types {
		check.Types = append(check.Types, *t)
	}
	slices.SortFunc(check.Types, func(a, b CheckedType) int { return strings.Compare(a.Type, b.Type) })
	for _, d := range contexts {
		if !d.Reasons.IsZero() {
			check.Contexts = append(check.Contexts, *d)
		}
	}
	slices.SortFunc(check.Contexts, func(a, b CheckDifference) int {
		return cmp.Or(cmp.Compare(b.Reasons.Size(), a.Reasons.Size()), cmp.Compare(a.Context, b.Context),
			strings.Compare(a.Type, b.Type))
	})
	c.check = check
}

// resolveContexts finds the contexts of rows in the tree.
func (c *checker) resolveContexts(t *callTree, of []int32) {
	for i := range c.rows {
		if node := c.rows[i].Context; node >= 0 {
			c.rows[i].Context = of[node]
		} else {
			c.rows[i].Context = t.child(-1, t.special(symbols.UnknownFrame), -1, -1)
		}
	}
	for _, row := range c.withoutContext {
		site := &c.f.symbols.Sites[row.Context]
		method := t.method(site.Method, func() symbols.Method {
			return c.f.symbols.Method(site.Method, site.Source, false)
		})
		row.Context = t.withoutCaller(method, true)
		c.rows = append(c.rows, row)
	}
}
