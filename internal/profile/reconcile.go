package profile

import (
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
