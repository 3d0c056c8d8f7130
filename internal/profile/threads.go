package profile

import (
	"cmp"
	"maps"
	"slices"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// Ended threads are kept apart up to these bounds; later ones share a row, so
// that a program with millions of threads can be read.
const (
	maxThreads     = 1 << 18
	maxThreadCells = 1 << 22
)

// mergedThreads is the name of the threads that are not kept apart.
const mergedThreads = "(threads not kept apart)"

// threadCounts is what threads counted, apart from contexts.
type threadCounts struct {
	threads     map[trace.ThreadID]*thread
	merged      thread // ended threads that are no longer kept apart
	keptCells   int    // cells of ended threads in threads
	threadCount int
	undefined   map[trace.CounterID]struct{} // counters without a definition
	afterEnd    uint64                       // values after their thread's end
}

func newThreadCounts() threadCounts {
	return threadCounts{threads: map[trace.ThreadID]*thread{}, undefined: map[trace.CounterID]struct{}{}}
}

// takeThreads takes a record about a thread.
func (f *folder) takeThreads(record trace.Record) {
	switch r := record.(type) {
	case *trace.Thread:
		f.describe(r)
	case *trace.Snapshot:
		f.snapshot(r)
	case *trace.LiveFrames:
		f.liveFrames(r)
	case *trace.Allocated:
		f.thread(r.Thread).jvmBytes = int64(r.Bytes)
	}
}

// thread is what one thread counted so far.
type thread struct {
	symbols.Thread
	ended  bool
	merged int            // threads that this stands for
	values paged[int64]   // by CounterID: latest totals
	sums   map[int32]cell // by site: what is final, until close
	cells  []cell         // ascending by site: sums after close

	jvmBytes int64 // that the JVM says it allocated, 0 unknown
}

// cell is what a thread allocated at a site as far as counters say: for arrays
// of unknown length elements and bytes are sums, for others they follow from
// the objects.
type cell struct {
	site, context            int32 // context is 0 until placeContexts
	objects, elements, bytes int64
}

// thread returns the state of a thread, a new one if it is unknown.
func (f *threadCounts) thread(id trace.ThreadID) *thread {
	t := f.threads[id]
	if t == nil {
		t = &thread{Thread: symbols.UnnamedThread(id), merged: 1}
		f.threads[id] = t
		f.threadCount++
	}
	return t
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

// settle adds the thread's values of numbers to its sums and zeroes them.
func (f *folder) foldCounters(t *thread, numbers counterRange) {
	t.values.each(numbers.first, numbers.end, func(counter uint32, value *int64) {
		if *value == 0 {
			return
		}
		if t.sums == nil {
			t.sums = map[int32]cell{}
		}
		f.apply(t.sums, f.meanings.get(counter), *value)
		*value = 0
	})
}

// close moves the thread's sums into its cells.
func (t *thread) close() {
	t.cells = mergeCells(t.cells, sorted(t.sums))
	t.sums = nil
}

// apply adds what a counter's value stands for.
func (f *folder) apply(sums map[int32]cell, m meaning, value int64) {
	if m.kind == trace.Path {
		f.increments += value
	}
	if m.kind == trace.Packed && len(m.terms) > 0 {
		arrays, elements, others := trace.Unpack(value)
		s := m.terms[0].site
		_, width := sizer{process: f.process}.array(f.symbols.Sites[s].Def.Type)
		c := sums[s]
		c.site = s
		c.elements += elements
		c.bytes += elements*width + others
		sums[s] = c
		value = arrays
	}
	for _, t := range m.terms {
		c := sums[t.site]
		c.site = t.site
		switch m.kind {
		case trace.Path, trace.Arrays, trace.Packed, trace.Sum:
			c.objects += value * t.coefficient
		case trace.Elements:
			c.elements += value * t.coefficient
		case trace.Bytes:
			c.bytes += value * t.coefficient
		}
		sums[t.site] = c
	}
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

func sorted(sums map[int32]cell) []cell {
	return slices.SortedFunc(maps.Values(sums), func(a, b cell) int { return cmp.Compare(a.site, b.site) })
}

// mergeCells adds two lists of cells, each ascending by site.
func mergeCells(a, b []cell) []cell {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	sum := make([]cell, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].site < b[0].site:
			sum, a = append(sum, a[0]), a[1:]
		case a[0].site > b[0].site:
			sum, b = append(sum, b[0]), b[1:]
		default:
			sum = append(sum, cell{a[0].site, 0, a[0].objects + b[0].objects, a[0].elements + b[0].elements,
				a[0].bytes + b[0].bytes})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(sum, a...), b...)
}
