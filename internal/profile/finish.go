package profile

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// finish makes the Profile, and the Check if c is not nil. The folder is used up.
func (f *folder) finish(c *checker) *Profile {
	f.contexts.ForgetNumbers()
	for _, t := range f.threads {
		f.foldCounters(t, counterRange{0, maxCounters})
		t.close()
		t.values = paged[int64]{}
	}
	p := &Profile{
		Process:          f.process,
		Classes:          f.seen,
		Adaptation:       f.adapted,
		ContextTotals:    f.totals,
		Skipped:          slices.SortedFunc(maps.Keys(f.skipped), compareSkipped),
		Duration:         time.Duration(f.nanos),
		ProgramBytecodes: f.programBytecodes,
		Complete:         f.end != nil && f.end.Complete,
		Damage:           f.damage,
		ThreadsRecorded:  f.threadCount,
	}
	for i := range f.symbols.Sites {
		if f.symbols.Sites[i].Def.Kind != trace.Executed {
			p.SitesDefined++
		}
	}
	if f.process != nil {
		p.Started = time.Unix(0, f.process.Started)
		p.Bytecodes = slices.Contains(f.process.Track, bytecodesObserver)
	}
	if f.end != nil {
		p.Reason = f.end.ExitReason
	}
	threads := f.allThreads()
	if c != nil {
		c.collect(threads)
	}
	tree, of := f.placeContexts(threads)
	if c != nil {
		c.resolveContexts(tree, of)
	}
	tree.children = nil
	p.Increments = f.increments
	totals := f.amounts(threads)
	f.countUpdates(p, totals)
	p.Executed = f.executed(totals)
	renumbered := tree.order()
	if c != nil {
		c.publish(renumbered)
	}
	p.Tracked, p.Methods, p.Contexts = f.contexts.Tracked, tree.methods, tree.contexts
	p.Sites, p.Threads, p.origin = f.publish(threads, totals, renumbered)
	for i := range p.Sites {
		p.Total.Add(p.Sites[i].Amount)
		if !p.Sites[i].Executed {
			p.SitesAllocated++
		}
	}
	if r := f.reconcile(p, threads); r != nil {
		p.Reconciliation = r
		if bytes, detail := describeUnattributed(r.threads, r.AtNoSite(), r.JVM); bytes > 0 {
			f.lose("unattributed", uint64(bytes), detail)
		}
	}
	f.addLosses(p, totals, tree.deeper)
	return p
}

// bytecodesObserver is in trace.Process.Track where bytecodes were counted.
const bytecodesObserver = "bytecodes"

// countedThread is a thread on its way from folder to Profile.
type countedThread struct {
	Thread
	number   trace.ThreadID // of one that is kept apart
	cells    []cell
	jvmBytes int64
}

// allThreads lists the threads by name, number breaking ties, the merged ones
// last.
func (f *folder) allThreads() []countedThread {
	ids := slices.SortedFunc(maps.Keys(f.threads), func(a, b trace.ThreadID) int {
		return cmp.Or(strings.Compare(f.threads[a].Name, f.threads[b].Name), cmp.Compare(a, b))
	})
	var all []countedThread
	for _, id := range ids {
		t := f.threads[id]
		all = append(all, countedThread{Thread{Name: t.Name, Carrier: t.Carrier, JavaID: t.JavaID, Merged: 1}, id,
			t.cells, t.jvmBytes})
	}
	if f.merged.merged > 0 {
		all = append(all, countedThread{Thread{Name: mergedThreads, Merged: f.merged.merged}, 0, f.merged.cells,
			f.merged.jvmBytes})
	}
	return all
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
		s := f.updates[i]
		updates := totals[s.counted].Objects * int64(s.sums)
		p.Increments += updates
		p.SiteIncrements += updates
		if s.sums == 0 || f.symbols.Sites[i].Def.Kind == trace.Called {
			p.SiteIncrements += totals[i].Objects
		}
	}
}

// publish returns the sites and threads that have cells, in their order, and
// renumbers the cells accordingly, by contexts too.
func (f *folder) publish(threads []countedThread, totals []Amount,
	contexts []int32) (sites []Site, used []Thread, o origin) {
	numbers := map[int32]int32{} // of sites, by their number in f
	for _, t := range threads {
		for _, c := range t.Cells {
			numbers[c.Site] = 0
		}
	}
	order := slices.SortedFunc(maps.Keys(numbers), func(a, b int32) int {
		return cmp.Or(f.compareSites(a, b), cmp.Compare(a, b))
	})
	for number, site := range order {
		numbers[site] = int32(number)
		sites = append(sites, f.exportedSite(&f.symbols.Sites[site], totals[site]))
	}
	for _, t := range threads {
		if len(t.Cells) == 0 {
			continue
		}
		for i := range t.Cells {
			c := &t.Cells[i]
			c.Site, c.Context = numbers[c.Site], contexts[c.Context]
		}
		slices.SortFunc(t.Cells, compareCells)
		used = append(used, t.Thread)
	}
	return sites, used, f.origin(threads, numbers)
}

func (f *folder) exportedSite(s *symbols.Site, amount Amount) Site {
	element := symbols.ElementClass(s.Def.Type)
	return Site{
		Class:      f.symbols.Intern(symbols.ClassName(s.Method.Class)),
		Method:     s.Method.Name,
		Descriptor: s.Method.Descriptor,
		BCI:        s.Def.BCI,
		Line:       s.Def.Line,
		Source:     s.Source,
		Type:       f.symbols.Intern(symbols.TypeName(s.Def.Type)),
		Executed:   s.Def.Kind == trace.Executed,
		Array:      strings.HasPrefix(s.Def.Type, "["),
		Loader:     f.symbols.Classes.Declaring(s.Method.Class, s.Method.Loader),
		TypeLoader: f.symbols.Classes.Allocated(element, s.Method.Loader),
		Amount:     amount,
	}
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

// compareCells orders cells by site, then by context.
func compareCells(a, b Cell) int {
	return cmp.Or(cmp.Compare(a.Site, b.Site), cmp.Compare(a.Context, b.Context))
}

func compareSkipped(a, b Skipped) int {
	return cmp.Or(strings.Compare(a.Class, b.Class), strings.Compare(a.Reason, b.Reason))
}

// sizes returns how large the objects of each site are.
func (f *folder) sizes() []sized {
	sizer := sizer{f.process, &f.symbols.Classes}
	sizes := make([]sized, len(f.symbols.Sites))
	for i := range f.symbols.Sites {
		sizes[i] = sizer.site(&f.symbols.Sites[i])
	}
	return sizes
}
