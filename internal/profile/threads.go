package profile

import (
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

// thread is what one thread counted so far.
type thread struct {
	symbols.Thread
	ended   bool
	merged  int            // threads that this stands for
	program int32          // index in facts.programs
	values  paged[int64]   // by CounterID: latest totals
	sums    map[int32]cell // by site: what is final, until close
	cells   []cell         // ascending by site: sums after close

	jvmBytes int64 // that the JVM says it allocated, 0 unknown
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

// close moves the thread's sums into its cells.
func (t *thread) close() {
	t.cells = mergeCells(t.cells, sorted(t.sums))
	t.sums = nil
}
