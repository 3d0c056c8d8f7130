package recording

import "mallard/internal/trace"

// size estimates how much memory a record takes in the queue, in bytes: enough to bound it.
func size(record trace.Record) int {
	const (
		fixed  = 96 // a record and its place in the queue
		value  = 16 // one of a list
		site   = 64
		method = 192
	)
	switch r := record.(type) {
	case *trace.Snapshot:
		return fixed + value*len(r.Values)
	case *trace.Contexts:
		return fixed + 2*value*len(r.Nodes)
	case *trace.ContextCounts:
		return fixed + 2*value*(len(r.Values)+len(r.Invocations))
	case *trace.ContextTags:
		return fixed + 2*value*len(r.Values)
	case *trace.Events:
		return fixed + value*len(r.Headers) + len(r.Data)
	case *trace.EventsKeyframe:
		return fixed + value*len(r.Headers) + len(r.Data)
	case *trace.ClassDef:
		n := fixed
		for i := range r.Methods {
			n += method + site*(len(r.Methods[i].Sites)+len(r.Methods[i].Counters))
		}
		return n
	}
	return fixed
}

// facts is how many facts are lost with a record: one, but for the events that are gathered in it.
func facts(record trace.Record) uint64 {
	if e, ok := record.(*trace.Events); ok {
		return uint64(len(e.Headers))
	}
	return 1
}
