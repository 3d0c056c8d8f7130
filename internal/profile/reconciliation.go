package profile

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
// What the JVM made for its classes is counted, but not known to be any thread's: it is taken from the threads that
// allocated most at no known site.
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
func (r *Reconciliation) AtNoSite() int64 { return r.VMStart + r.SinceStart() }

// SinceStart is what of it was allocated since the first bytecode ran, bytes.
func (r *Reconciliation) SinceStart() int64 { return r.VMThreads + r.Unattributed }

// addThread takes what one thread allocated more than was counted.
func (r *Reconciliation) addThread(t unattributed) {
	r.add(t.bytes)
	if t.thread != "" && isLoss(t.bytes, t.jvm) {
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
