package profile

import (
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// facts is what a recording says of its program and itself.
type facts struct {
	process          *trace.Process
	seen             *trace.Seen
	adapted          *trace.Adaptation
	totals           *trace.ContextTotals
	end              *trace.End
	kept             *trace.Kept
	nanos            int64 // the latest instant named by a record
	jvmBytes         uint64
	programBytecodes int64
	internal         map[string]int64 // bytes by trace.Internal.Cause
	skipped          map[Skipped]struct{}
	transactions     map[string]*TransactionSizes // by name
	programs         []trace.Program              // of a merged recording, by number from 1 on
}

func newFacts() facts {
	return facts{internal: map[string]int64{}, skipped: map[Skipped]struct{}{},
		transactions: map[string]*TransactionSizes{}}
}

func (f *facts) take(record trace.Record) {
	switch r := record.(type) {
	case *trace.Process:
		f.process = r
	case *trace.Skipped:
		f.skipped[Skipped{Class: symbols.ClassName(r.Name), Reason: r.Reason}] = struct{}{}
	case *trace.Program:
		if int(r.Number) == len(f.programs)+1 {
			f.programs = append(f.programs, *r)
		}
	case *trace.Kept:
		f.kept = r
	case *trace.Seen:
		f.seen = r
	case *trace.Adaptation:
		f.adapted = r
	case *trace.ContextTotals:
		f.totals = r
	case *trace.Internal:
		f.internal[r.Cause] = int64(r.Bytes)
	case *trace.Snapshot:
		f.at(r.Nanos)
	case *trace.ContextCounts:
		f.at(r.Nanos)
	case *trace.Mark:
		f.at(r.Nanos)
		f.jvmBytes = max(f.jvmBytes, r.JVMBytes)
		f.programBytecodes = max(f.programBytecodes, int64(r.Bytecodes))
	case *trace.End:
		f.at(r.Nanos)
		f.end = r
	}
}

// at moves the end of the recording to an instant, if it is later.
func (f *facts) at(nanos int64) { f.nanos = max(f.nanos, nanos) }

// bytecodesObserver is in trace.Process.Track where bytecodes were counted.
const bytecodesObserver = "bytecodes"
