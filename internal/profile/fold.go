package profile

import (
	"mallard/internal/trace"
)

// folder takes the records of a recording one by one.
//
//  1. Definitions (ClassDef, ClassSize, Loader) are remembered by number.
//  2. A Snapshot's values replace the thread's earlier ones: they are totals.
//  3. When values are final (the thread ended, the class was retired, the
//     recording ended) they are multiplied by their semantics into cells.
//  4. finish turns cells into amounts, because sizes may come after counts.
type folder struct {
	records int
	names   map[string]string // one copy of each string

	sites     []site
	siteKeys  map[siteKey]int32
	siteOf    []int32 // by SiteID: index in sites, -1 for a lost definition
	meanings  paged[meaning]
	ranges    map[trace.ClassID]counterRange
	inexact   map[methodKey]struct{} // methods whose counts an exception may put off
	fallback  map[methodKey]struct{} // methods with a weaker placement than was asked for
	uncounted map[methodKey]struct{} // methods that have counters, but none of bytecodes where these are counted
	types     typeTable
	contexts  contextTable

	threads     map[trace.ThreadID]*thread
	merged      thread // ended threads that are no longer kept apart
	keptCells   int    // cells of ended threads in threads
	threadCount int

	increments int64 // updates of Path counters
	orphans    map[trace.CounterID]struct{}
	late       uint64 // values after their thread's end

	process  *trace.Process
	seen     *trace.Seen
	adapted  *trace.Adaptation
	totals   *trace.ContextTotals
	end      *trace.End
	nanos    int64 // the latest instant named by a record
	jvmBytes uint64
	steps    int64
	internal map[string]int64 // bytes by trace.Internal.Cause
	skipped  map[Skipped]struct{}
	losses   map[lossKey]uint64
	damage   []*trace.Damage

	changed func(thread trace.ThreadID, node int32, c cell) // told of every change of what was counted; nil for nobody. See timeFolder.add
}

type lossKey struct{ kind, detail string }

func newFolder() *folder {
	return &folder{
		names:     map[string]string{},
		siteKeys:  map[siteKey]int32{},
		ranges:    map[trace.ClassID]counterRange{},
		inexact:   map[methodKey]struct{}{},
		fallback:  map[methodKey]struct{}{},
		uncounted: map[methodKey]struct{}{},
		types:     newTypeTable(),
		contexts:  newContextTable(),
		threads:   map[trace.ThreadID]*thread{},
		orphans:   map[trace.CounterID]struct{}{},
		skipped:   map[Skipped]struct{}{},
		losses:    map[lossKey]uint64{},
		internal:  map[string]int64{},
	}
}

// add takes the next record.
func (f *folder) add(record trace.Record) {
	f.records++
	switch r := record.(type) {
	case *trace.Process:
		f.process = r
	case *trace.Loader:
		f.types.loaders[r.ID] = *r
	case *trace.ClassDef:
		f.define(r)
	case *trace.Retired:
		if numbers, ok := f.ranges[r.Class]; ok {
			f.retire(numbers)
			delete(f.ranges, r.Class)
		}
	case *trace.ClassSize:
		f.types.size(f.intern(r.Name), r.Loader, r.Bytes)
	case *trace.Skipped:
		f.skipped[Skipped{Class: ClassName(r.Name), Reason: f.intern(r.Reason)}] = struct{}{}
	case *trace.Seen:
		f.seen = r
	case *trace.Adaptation:
		f.adapted = r
	case *trace.ContextTotals:
		f.totals = r
	case *trace.Thread:
		f.describe(r)
	case *trace.Snapshot:
		f.snapshot(r)
	case *trace.LiveFrames:
		f.liveFrames(r)
	case *trace.MethodName:
		f.contexts.defineMethod(r.Number, contextMethod{
			key:    methodKey{r.Loader, f.intern(r.Class), f.intern(r.Name), f.intern(r.Descriptor)},
			source: f.intern(r.Source),
			native: r.Native,
			named:  true,
		})
	case *trace.Transaction:
		f.defineTransaction(r)
	case *trace.Contexts:
		f.contexts.grow(r.Nodes)
	case *trace.ContextCounts:
		f.contextCounts(r)
	case *trace.ContextLiveFrames:
		f.contextLiveFrames(r)
	case *trace.Mark:
		f.at(r.Nanos)
		f.jvmBytes = max(f.jvmBytes, r.JVMBytes)
		f.steps = max(f.steps, int64(r.Bytecodes))
	case *trace.Allocated:
		f.allocated(r)
	case *trace.Internal:
		f.internal[r.Cause] = int64(r.Bytes)
	case *trace.Loss:
		f.lose(r.Kind, r.Count, r.Detail)
	case *trace.EventsLost:
		f.loseEvents(r)
	case *trace.End:
		f.at(r.Nanos)
		f.end = r
	}
}

// at moves the end of the recording to an instant, if it is later.
func (f *folder) at(nanos int64) { f.nanos = max(f.nanos, nanos) }

// intern returns s itself or an equal string seen before: recordings repeat
// their names with every version of a class.
func (f *folder) intern(s string) string {
	if known, ok := f.names[s]; ok {
		return known
	}
	f.names[s] = s
	return s
}

// lose adds to a loss; equal ones become one line.
func (f *folder) lose(kind string, count uint64, detail string) {
	f.losses[lossKey{kind, detail}] += count
}
