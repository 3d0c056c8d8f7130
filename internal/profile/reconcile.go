package profile

import (
	"slices"

	"mallard/internal/trace"
)

// Reconciliation compares the bytes that were counted with those that the JVM
// says its threads allocated:
//
//	JVM = Counted − EscapeAnalysis + VMStart + VMThreads + Unattributed
//
// VMStart and VMThreads are measured. The other two are what is left of each
// thread: where the JVM says less than was counted, at least the difference
// never reached the heap, because the compiler removed the allocation; where it
// says more, at least the difference was made at no known site. A thread may
// have both, so each is a lower bound, by the same amount. Without
// escape analysis (-XX:-DoEscapeAnalysis) EscapeAnalysis is 0 and Unattributed exact.
//
// Waste at the ends of allocation buffers is in none of these: the JVM counts
// what was used of them.
type Reconciliation struct {
	Counted        int64 // Profile.Total.Bytes
	JVM            int64 // bytes
	VMStart        int64 // of it, made before the first bytecode ran
	VMThreads      int64 // of it, made by threads without counters of their own
	EscapeAnalysis int64 // counted and not allocated
	Unattributed   int64 // allocated and not counted

	threads []unattributed // where that is a loss
}

// AtNoSite is what the JVM allocated at no known site, bytes.
func (r *Reconciliation) AtNoSite() int64 { return r.VMStart + r.VMThreads + r.Unattributed }

// reconcile returns nil where the JVM's figure is unknown.
func (f *folder) reconcile(p *Profile, threads []countedThread) *Reconciliation {
	if f.jvmBytes == 0 {
		return nil
	}
	r := &Reconciliation{Counted: p.Total.Bytes, JVM: int64(f.jvmBytes), VMStart: f.internal[trace.VMStart],
		VMThreads: f.internal[trace.VMThreads]}
	rest := r.JVM - r.VMStart - r.VMThreads // of threads that the JVM does not single out
	var restCounted int64
	carriers := unattributed{thread: "virtual threads and their carriers", carrier: true}
	apart := virtualThreadsApart(threads)
	for _, t := range threads {
		var counted int64
		for _, c := range t.Cells {
			counted += c.Amount.Bytes
		}
		switch {
		case t.Carrier && apart:
			carriers.bytes += t.jvmBytes - counted
			carriers.jvm += t.jvmBytes
		case t.jvmBytes == 0:
			restCounted += counted
			continue
		default:
			r.addThread(unattributed{t.Title(), t.Carrier, t.jvmBytes - counted, t.jvmBytes})
		}
		rest -= t.jvmBytes
	}
	if apart {
		r.addThread(carriers)
	}
	r.add(rest - restCounted)
	return r
}

// virtualThreadsApart reports whether virtual threads count apart from the carriers that run them, as they do with
// contexts. What they allocate the JVM adds to its carriers' figures.
func virtualThreadsApart(threads []countedThread) bool {
	has := func(jvmBytes bool) bool {
		return slices.ContainsFunc(threads, func(t countedThread) bool {
			return t.Carrier && t.jvmBytes > 0 == jvmBytes
		})
	}
	return has(false) && has(true)
}

// addThread takes what one thread allocated more than was counted.
func (r *Reconciliation) addThread(t unattributed) {
	r.add(t.bytes)
	if isLoss(t.bytes, t.jvm) {
		r.threads = append(r.threads, t)
	}
}

// add takes what a thread allocated more than was counted.
func (r *Reconciliation) add(difference int64) {
	if difference > 0 {
		r.Unattributed += difference
	} else {
		r.EscapeAnalysis -= difference
	}
}
