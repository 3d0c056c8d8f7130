package profile

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

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
		Kept:             f.kept,
		Programs:         f.allPrograms(),
		Merged:           len(f.programs) > 0,
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
	inContexts := f.contexts.tags()
	tagThreads := newTagThreads(threads, p.Complete)
	tree, of := f.assignContexts(threads)
	if c != nil {
		c.resolveContexts(tree, of)
	}
	tree.children = children{}
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
	p.loader, p.table, p.sizes = f.symbols.Classes.Loader, f.symbols, f.transactions
	p.origin.context = func(node int32) int32 { return renumbered[of[node]] }
	for site, context := range tree.alone {
		tree.alone[site] = renumbered[context]
	}
	p.origin.alone = tree.alone
	p.tagged = f.tags.sitesIn(f.symbols, inContexts, p.origin.context, tagThreads)
	for i := range p.Sites {
		p.Total.Add(p.Sites[i].Amount)
		if !p.Sites[i].Executed {
			p.SitesAllocated++
		}
	}
	if p.Merged {
		f.addUp(p)
	} else if r := f.reconcile(p, threads); r != nil {
		p.Reconciliation = r
		if bytes, detail := describeUnattributed(r.threads, r.AtNoSite(), r.JVM,
			describeReplaced(p.Sites)); bytes > 0 && !p.IsUncounted() {
			f.lose("unattributed", uint64(bytes), detail)
		}
	}
	if objects, detail := p.describeUnknownCallers(); objects > 0 && !p.Merged &&
		!f.hasLost("contexts", "unanswered") {
		f.lose("callers", uint64(objects), detail)
	}
	f.addLosses(p, totals, tree.deeper)
	return p
}

func compareSkipped(a, b Skipped) int {
	return cmp.Or(strings.Compare(a.Class, b.Class), strings.Compare(a.Reason, b.Reason))
}
