package profile

import (
	"cmp"
	"slices"

	"mallard/internal/trace"
)

// reconcile returns nil where the JVM's figure is unknown.
func (f *folder) reconcile(p *Profile, threads []countedThread) *Reconciliation {
	if f.jvmBytes == 0 {
		return nil
	}
	r := &Reconciliation{Counted: p.Total.Bytes, JVM: int64(f.jvmBytes), VMStart: f.internal[trace.VMStart],
		VMThreads: f.internal[trace.VMThreads]}
	rest := r.JVM - r.VMStart - r.VMThreads // of threads that the JVM does not single out
	var restCounted int64
	var each []unattributed
	var forClasses int64
	carriers := unattributed{thread: "virtual threads and their carriers", carrier: true}
	apart := virtualThreadsApart(threads)
	for _, t := range threads {
		var counted int64
		for _, c := range t.Cells {
			counted += c.Amount.Bytes
		}
		switch {
		case t.number == vmThread:
			forClasses += counted
			continue
		case t.Carrier && apart:
			carriers.bytes += t.jvmBytes - counted
			carriers.jvm += t.jvmBytes
		case t.jvmBytes == 0:
			restCounted += counted
			continue
		default:
			each = append(each, unattributed{t.Title(), t.Carrier, t.jvmBytes - counted, t.jvmBytes})
		}
		rest -= t.jvmBytes
	}
	if apart {
		each = append(each, carriers)
	}
	each = append(each, unattributed{bytes: rest - restCounted})
	r.add(-takeFromLargest(each, forClasses))
	for _, t := range each {
		r.addThread(t)
	}
	return r
}

// takeFromLargest takes bytes away whose threads are not known: from those with the most at no known site, since any of
// them may have made them. It returns what is left when no thread has any more.
func takeFromLargest(threads []unattributed, bytes int64) (left int64) {
	order := make([]*unattributed, len(threads))
	for i := range threads {
		order[i] = &threads[i]
	}
	slices.SortStableFunc(order, func(a, b *unattributed) int { return cmp.Compare(b.bytes, a.bytes) })
	for _, t := range order {
		n := min(max(t.bytes, 0), bytes)
		t.bytes -= n
		bytes -= n
	}
	return bytes
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
