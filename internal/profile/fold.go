package profile

import "mallard/internal/trace"

// add takes the next record.
func (f *folder) add(record trace.Record) {
	f.records++
	if f.countsBelowZero(record) {
		return
	}
	switch r := record.(type) {
	case *trace.ClassDef:
		f.define(r)
	case *trace.Retired:
		f.retireClass(r.Class)
	default:
		f.symbols.Add(record)
	}
	f.facts.take(record)
	f.lossList.take(record)
	f.takeThreads(record)
	f.takeContexts(record)
	f.takeSums(record)
	for _, c := range f.consumers {
		c.Add(record)
	}
}
