package profile

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"mallard/internal/trace"
)

// finish makes the Profile. The folder is used up.
func (f *folder) finish() *Profile {
	for _, t := range f.threads {
		f.settle(t, counterRange{0, maxCounters})
		t.values = paged[int64]{}
	}
	p := &Profile{
		Process:         f.process,
		Classes:         f.seen,
		Skipped:         slices.SortedFunc(maps.Keys(f.skipped), compareSkipped),
		Duration:        time.Duration(f.nanos),
		Complete:        f.end != nil && f.end.Complete,
		Increments:      f.increments,
		JVMBytes:        f.jvmBytes,
		Damage:          f.damage,
		SitesDefined:    len(f.sites),
		ThreadsRecorded: f.threadCount,
	}
	if f.process != nil {
		p.Started = time.Unix(0, f.process.Started)
	}
	if f.end != nil {
		p.Reason = f.end.ExitReason
	}
	sizes := f.sizes()
	totals := make([]Amount, len(f.sites))
	used := make([]bool, len(f.sites))
	threads := f.allThreads()
	for i, t := range threads {
		for _, c := range t.cells {
			if amount := sizes[c.site].amount(c); !amount.IsZero() {
				used[c.site] = true
				totals[c.site].Add(amount)
				threads[i].Cells = append(threads[i].Cells, Cell{Site: int(c.site), Amount: amount})
			}
		}
	}
	f.countUpdates(p, totals)
	order := f.publishSites(p, totals, used)
	for _, t := range threads {
		if len(t.Cells) == 0 {
			continue
		}
		for i := range t.Cells {
			t.Cells[i].Site = order[t.Cells[i].Site]
		}
		slices.SortFunc(t.Cells, func(a, b Cell) int { return cmp.Compare(a.Site, b.Site) })
		p.Threads = append(p.Threads, t.Thread)
	}
	f.addLosses(p, totals)
	return p
}

// countedThread is a thread on its way from folder to Profile.
type countedThread struct {
	Thread
	cells []cell
}

// allThreads lists the threads by name, number breaking ties, the merged ones
// last.
func (f *folder) allThreads() []countedThread {
	ids := slices.SortedFunc(maps.Keys(f.threads), func(a, b trace.ThreadID) int {
		return cmp.Or(strings.Compare(f.threads[a].name, f.threads[b].name), cmp.Compare(a, b))
	})
	var all []countedThread
	for _, id := range ids {
		t := f.threads[id]
		all = append(all, countedThread{Thread{Name: t.name, Carrier: t.carrier, JavaID: t.javaID, Merged: 1}, t.cells})
	}
	if f.merged.merged > 0 {
		all = append(all, countedThread{Thread{Name: mergedThreads, Merged: f.merged.merged}, f.merged.cells})
	}
	return all
}

// countUpdates adds the updates of sums, which are the same for every
// placement, and computes what one counter per site would have cost.
func (f *folder) countUpdates(p *Profile, totals []Amount) {
	for i := range f.sites {
		s := &f.sites[i]
		updates := totals[s.paces].Objects * int64(s.sums)
		p.Increments += updates
		p.SiteIncrements += updates
		if s.def.Kind != trace.Multi {
			p.SiteIncrements += totals[i].Objects
		}
	}
}

// publishSites puts the used sites into p, in order, and returns their indexes
// there by their indexes in f.
func (f *folder) publishSites(p *Profile, totals []Amount, used []bool) (order []int) {
	type numbered struct {
		Site
		index int
	}
	var sites []numbered
	for i := range f.sites {
		if used[i] {
			sites = append(sites, numbered{f.publicSite(&f.sites[i], totals[i]), i})
		}
	}
	slices.SortFunc(sites, func(a, b numbered) int { return cmp.Or(compareSites(&a.Site, &b.Site), cmp.Compare(a.index, b.index)) })
	order = make([]int, len(f.sites))
	for i, s := range sites {
		order[s.index] = i
		p.Sites = append(p.Sites, s.Site)
		p.Total.Add(s.Amount)
	}
	return order
}

func (f *folder) publicSite(s *site, amount Amount) Site {
	element := elementClass(s.def.Type)
	return Site{
		Class:      f.intern(ClassName(s.method.class)),
		Method:     s.method.name,
		Descriptor: s.method.descriptor,
		BCI:        s.def.BCI,
		Line:       s.def.Line,
		Source:     s.source,
		Type:       f.intern(TypeName(s.def.Type)),
		Array:      strings.HasPrefix(s.def.Type, "["),
		Loader:     f.types.declaring(s.method.class, s.method.loader),
		TypeLoader: f.types.allocated(element, s.method.loader),
		Amount:     amount,
	}
}

// compareSites orders sites by where they are, then by what they make.
func compareSites(a, b *Site) int {
	return cmp.Or(
		strings.Compare(a.Class, b.Class),
		strings.Compare(a.Method, b.Method),
		strings.Compare(a.Descriptor, b.Descriptor),
		cmp.Compare(a.BCI, b.BCI),
		strings.Compare(a.Type, b.Type),
		strings.Compare(a.Loader, b.Loader),
		cmp.Compare(a.Line, b.Line),
	)
}

func compareSkipped(a, b Skipped) int {
	return cmp.Or(strings.Compare(a.Class, b.Class), strings.Compare(a.Reason, b.Reason))
}

// sizes returns how large the objects of each site are.
func (f *folder) sizes() []sized {
	sizer := sizer{f.process, &f.types}
	sizes := make([]sized, len(f.sites))
	for i := range f.sites {
		sizes[i] = sizer.site(&f.sites[i])
	}
	return sizes
}
