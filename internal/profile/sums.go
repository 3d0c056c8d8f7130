package profile

import (
	"math"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// beyondDeepest is how many frames stand behind as many as a context may have: [deeper], a transaction, a method.
const beyondDeepest = 3

// takeSums takes what a merged recording says that a thread allocated.
func (f *folder) takeSums(record trace.Record) {
	r, is := record.(*trace.Sums)
	if !is {
		return
	}
	if r.Program == 0 || int(r.Program) > len(f.programs) {
		f.lose("definitions", uint64(len(r.Cells)), "counts of a program whose definition is missing")
		return
	}
	t := f.thread(r.Thread)
	t.program, t.merged = int32(r.Program-1), int(min(r.Threads, math.MaxInt32))
	if t.sums == nil {
		t.sums = map[int32]cell{}
	}
	for _, s := range r.Cells {
		site, known := f.symbols.Site(s.Site)
		if !known {
			f.contexts.unknown++
			continue
		}
		more := cell{site: site, objects: s.Objects, elements: s.Elements, bytes: s.Bytes}
		if s.Context == 0 {
			t.sums[site] = t.sums[site].plus(more)
			continue
		}
		node := f.contexts.Node(s.Context)
		if node == symbols.Lost {
			f.contexts.unknown++
			continue
		}
		f.contexts.added = append(f.contexts.added, contextCell{r.Thread, node, more})
	}
}

// allPrograms gives the programs of a merged recording, or the one that was recorded.
func (f *folder) allPrograms() []trace.Program {
	switch {
	case len(f.programs) > 0:
		return f.programs
	case f.process == nil:
		return []trace.Program{{Number: 1}}
	}
	p := f.process
	return []trace.Program{{Number: 1, PID: p.PID, JVMVersion: p.JVMVersion, JVMName: p.JVMName, GC: p.GC,
		Command: p.Command, Started: p.Started, Nanos: f.nanos, Complete: f.end != nil && f.end.Complete}}
}

// addUp gives a merged recording what its programs' own said of them. What the JVM allocated is known where all do.
func (f *folder) addUp(p *Profile) {
	p.Increments, p.SiteIncrements = 0, 0
	r := &Reconciliation{Counted: p.Total.Bytes}
	for i := range f.programs {
		program := &f.programs[i]
		p.Increments += program.Increments
		p.SiteIncrements += program.SiteIncrements
		if program.JVMBytes == 0 {
			r = nil
		}
		if r == nil {
			continue
		}
		r.JVM += int64(program.JVMBytes)
		r.VMStart += program.VMStart
		r.VMThreads += program.VMThreads
		r.EscapeAnalysis += program.EscapeAnalysis
		r.Unattributed += program.Unattributed
	}
	p.Reconciliation = r
}
