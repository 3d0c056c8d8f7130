package profile

import (
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// sizes returns how large the objects of each site are.
func (f *folder) sizes() []sized {
	sizer := sizer{f.process, &f.symbols.Classes}
	sizes := make([]sized, len(f.symbols.Sites))
	for i := range f.symbols.Sites {
		sizes[i] = sizer.site(&f.symbols.Sites[i])
	}
	return sizes
}

// amounts gives the threads their Cells, with the numbers that sites have in
// f, and returns the totals of those.
func (f *folder) amounts(threads []countedThread) (totals []Amount) {
	sizes := f.sizes()
	totals = make([]Amount, len(f.symbols.Sites))
	for i, t := range threads {
		threads[i].cells = nil
		for _, c := range t.cells {
			if amount := sizes[c.site].amount(c); !amount.IsZero() {
				totals[c.site].Add(amount)
				threads[i].Cells = append(threads[i].Cells, Cell{Site: c.site, Context: c.context, Amount: amount})
			}
		}
	}
	return totals
}

// countUpdates adds the updates that arrays make besides those of paths, the same
// for every placement, and computes what one counter per site would have cost.
func (f *folder) countUpdates(p *Profile, totals []Amount) {
	for i := range f.symbols.Sites {
		if f.symbols.Sites[i].Method.Class == symbols.VM {
			continue // nobody counted
		}
		s := f.updates[i]
		updates := totals[s.counted].Objects * int64(s.sums)
		p.Increments += updates
		p.SiteIncrements += updates
		if s.sums == 0 || f.symbols.Sites[i].Def.Kind == trace.Called {
			p.SiteIncrements += totals[i].Objects
		}
	}
}
