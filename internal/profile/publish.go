package profile

import (
	"cmp"
	"slices"
	"strings"

	"mallard/internal/trace"
)

// publish returns the sites and threads that have cells, in their order, and
// renumbers the cells accordingly, by contexts too.
func (f *folder) publish(threads []countedThread, totals []Amount,
	contexts []int32) (sites []Site, used []Thread, o origin) {
	numbers := slices.Repeat([]int32{-1}, len(f.symbols.Sites)) // of sites, by their number in f
	var order []int32
	for _, t := range threads {
		for _, c := range t.Cells {
			if numbers[c.Site] < 0 {
				numbers[c.Site] = 0
				order = append(order, c.Site)
			}
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(f.compareSites(a, b), cmp.Compare(a, b)) })
	for number, site := range order {
		numbers[site] = int32(number)
		sites = append(sites, exportedSite(f.symbols, &f.symbols.Sites[site], totals[site]))
	}
	indexes := map[trace.ThreadID]int32{}
	for _, t := range threads {
		if len(t.Cells) == 0 {
			continue
		}
		for i := range t.Cells {
			c := &t.Cells[i]
			c.Site, c.Context = numbers[c.Site], contexts[c.Context]
		}
		slices.SortFunc(t.Cells, compareCells)
		if t.Merged <= 1 {
			indexes[t.number] = int32(len(used))
		}
		used = append(used, t.Thread)
	}
	o = f.origin(threads, numbers)
	o.indexes = indexes
	return sites, used, o
}

// compareSites orders sites by where they are, then by what they make.
func (f *folder) compareSites(i, j int32) int {
	a, b := &f.symbols.Sites[i], &f.symbols.Sites[j]
	return cmp.Or(
		strings.Compare(a.Method.Class, b.Method.Class),
		strings.Compare(a.Method.Name, b.Method.Name),
		strings.Compare(a.Method.Descriptor, b.Method.Descriptor),
		cmp.Compare(a.Def.BCI, b.Def.BCI),
		strings.Compare(a.Def.Type, b.Def.Type),
		cmp.Compare(a.Method.Loader, b.Method.Loader),
		cmp.Compare(a.Def.Line, b.Def.Line),
	)
}

// origin keeps what OverTime wants; published says where sites are in the Profile.
func (f *folder) origin(threads []countedThread, published []int32) origin {
	o := origin{records: f.records, sizes: f.sizes(), sites: published, threads: map[trace.ThreadID]Thread{}}
	for _, t := range threads {
		if t.Merged <= 1 {
			o.threads[t.number] = Thread{Name: t.Name, Carrier: t.Carrier}
		}
	}
	return o
}
