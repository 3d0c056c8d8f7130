package profile

import "slices"

// foldedCells adds up cells of a site whose stacks look the same once frames that are not the user's are folded: those
// that follow each other above the site's own are one. The context is the first one's.
func (p *Profile) foldedCells(cells []Cell, mine *Mine) []Cell {
	type key struct{ site, stack int32 }
	stacks, at := p.foldedStacks(mine), map[key]int{}
	sums := cells[:0]
	for _, c := range cells {
		k := key{c.Site, stacks[c.Context]}
		if i, known := at[k]; known {
			sums[i].Amount.Add(c.Amount)
			continue
		}
		at[k] = len(sums)
		sums = append(sums, c)
	}
	return slices.DeleteFunc(sums, func(c Cell) bool { return c.Amount.IsZero() })
}

// foldedStacks numbers what callers of contexts look like when they are folded, by context.
func (p *Profile) foldedStacks(mine *Mine) []int32 {
	own := make([]bool, len(p.Methods))
	for i := range p.Methods {
		own[i] = mine.IsMethod(&p.Methods[i])
	}
	type frames struct {
		method, line int32 // of the innermost; otherMethod: others
		callers      int32
	}
	const otherMethod = -1
	numbers, begins := map[frames]int32{}, []bool{false} // whether a number's innermost frame is one of others
	stacks := make([]int32, len(p.Contexts))
	for i := range p.Contexts { // a parent before its children
		c := &p.Contexts[i]
		if c.Parent < 0 {
			continue
		}
		f := frames{p.Contexts[c.Parent].Method, c.Line, stacks[c.Parent]}
		if !own[f.method] {
			if begins[f.callers] {
				stacks[i] = f.callers
				continue
			}
			f.method, f.line = otherMethod, otherMethod
		}
		n, known := numbers[f]
		if !known {
			n = int32(len(begins))
			numbers[f], begins = n, append(begins, f.method == otherMethod)
		}
		stacks[i] = n
	}
	return stacks
}
