package profile

import (
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// takeThreads takes a record about a thread.
func (f *folder) takeThreads(record trace.Record) {
	switch r := record.(type) {
	case *trace.Thread:
		f.describe(r)
	case *trace.Snapshot:
		f.snapshot(r)
	case *trace.LiveFrames:
		f.liveFrames(r)
	case *trace.ClassObjects:
		f.addClassObjects(r)
	case *trace.Allocated:
		f.thread(r.Thread).jvmBytes = int64(r.Bytes)
	}
}

// describe notes a thread's name, and its end.
func (f *folder) describe(r *trace.Thread) {
	t := f.thread(r.ID)
	t.Describe(r)
	if !r.Ended || t.ended {
		return
	}
	t.ended = true
	f.foldCounters(t, counterRange{0, maxCounters})
	t.close()
	t.values = paged[int64]{}
	f.keptCells += len(t.cells)
	if len(f.threads) > maxThreads || f.keptCells > maxThreadCells {
		f.keptCells -= len(t.cells)
		f.merged.cells = mergeCells(f.merged.cells, t.cells)
		f.merged.merged += t.merged
		f.merged.jvmBytes += t.jvmBytes
		delete(f.threads, r.ID)
	}
}

// snapshot replaces the values of a thread's counters.
func (f *folder) snapshot(r *trace.Snapshot) {
	t := f.thread(r.Thread)
	if t.ended {
		f.afterEnd += uint64(len(r.Values))
		return
	}
	named := 0 // that are not zero
	for _, v := range r.Values {
		if m := f.meanings.at(uint32(v.Counter)); m == nil || !m.defined {
			f.undefined[v.Counter] = struct{}{}
			continue
		} else if !m.kind.MayBeNegative() && f.isNegative(v.Value) {
			continue
		}
		if f.changed != nil {
			f.difference(r.Thread, symbols.Lost, f.meanings.get(uint32(v.Counter)), t.values.get(uint32(v.Counter)),
				v.Value)
		}
		t.values.set(uint32(v.Counter), v.Value)
		if v.Value != 0 {
			named++
		}
	}
	if r.Full {
		f.zeroOthers(r, t, named)
	}
}

// zeroOthers makes the counters zero that a Full snapshot does not name, which names some that are not. Packed ones
// come back to zero when they are spilled.
func (f *folder) zeroOthers(r *trace.Snapshot, t *thread, named int) {
	t.values.each(0, maxCounters, func(_ uint32, value *int64) {
		if *value != 0 {
			named--
		}
	})
	if named == 0 {
		return
	}
	names := map[uint32]bool{}
	for _, v := range r.Values {
		names[uint32(v.Counter)] = true
	}
	t.values.each(0, maxCounters, func(counter uint32, value *int64) {
		if *value == 0 || names[counter] {
			return
		}
		if f.changed != nil {
			f.difference(r.Thread, symbols.Lost, f.meanings.get(counter), *value, 0)
		}
		*value = 0
	})
}

// liveFrames takes back what a thread's unfinished invocations counted ahead.
func (f *folder) liveFrames(r *trace.LiveFrames) {
	t := f.thread(r.Thread)
	if t.sums == nil {
		t.sums = map[int32]cell{}
	}
	for _, term := range r.Terms {
		index, known := f.symbols.Site(term.Site)
		if !known {
			f.lose("definitions", 1, "live frames name sites whose class definition is missing")
			continue
		}
		c := t.sums[index]
		c.site = index
		c.objects -= term.Coefficient
		t.sums[index] = c
		if f.changed != nil {
			f.changed(r.Thread, symbols.Lost, cell{site: index, objects: -term.Coefficient})
		}
	}
}
