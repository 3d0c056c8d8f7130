package heaptest

import "mallard/internal/trace"

// Contexts are records of a program with contexts, in which the objects were made that have tags in Random, 1, 3, 5 and
// 7; and what there is in the round of a keyframe. Of these the first two are of threads that have ended, the last one
// of a context that is recorded no more.
func Contexts() (before, round []trace.Record) {
	const made, tag = 10, 11 // counters
	values := func(tags map[trace.ContextID]int64, of ...trace.ContextID) (list []trace.ContextValue) {
		for _, id := range of {
			list = append(list, trace.ContextValue{Context: id, Counter: made, Value: 1 << 40},
				trace.ContextValue{Context: id, Counter: tag, Value: tags[id]})
		}
		return list
	}
	tags := map[trace.ContextID]int64{1024: 5, 1536: 7, 4608: 1, 8192: 3}
	onlyTag := func(of trace.ContextID) []trace.ContextValue { return values(tags, of)[1:] }
	before = []trace.Record{
		&trace.ClassSize{Name: "demo/Other", Bytes: 24},
		&trace.ClassDef{Name: "demo/Main", Source: "Main.java", CounterBase: made, Counters: 2,
			Methods: []trace.MethodDef{
				{Name: "run", Descriptor: "()V", Number: 1},
				{Name: "make", Descriptor: "()V", Number: 2,
					Sites: []trace.SiteDef{{BCI: 3, Line: 12, Type: "demo/Other"}},
					Counters: []trace.CounterDef{{Semantics: []trace.Term{{Coefficient: 1}}},
						{Counter: 1, Kind: trace.Tag, Semantics: []trace.Term{{Coefficient: 1}}}}},
			}},
		&trace.Contexts{Nodes: []trace.ContextNode{
			{ID: 512, Method: 1, BCI: -1, Line: -1},
			{ID: 1024, Parent: 512, Method: 2, BCI: 7, Line: 20},
			{ID: 1536, Parent: 512, Method: 2, BCI: 9, Line: 30},
			{ID: 4096, Method: 1, BCI: -1, Line: -1},
			{ID: 4608, Parent: 4096, Method: 2, BCI: 8, Line: 21},
			{ID: 8192, Method: 2, BCI: -1, Line: -1},
		}},
		&trace.Thread{ID: 1, Name: "main"},
		&trace.ContextCounts{Thread: 1, Full: true, Values: values(tags, 1024, 1536)},
		&trace.ContextCounts{Thread: 2, Full: true, Values: values(tags, 4608)},
		&trace.Thread{ID: 2, Name: "worker 1", Ended: true},
		&trace.ContextCounts{Thread: 3, Full: true, Values: values(tags, 8192)},
		&trace.Thread{ID: 3, Name: "worker 2", Ended: true},
	}
	round = []trace.Record{
		&trace.Thread{ID: 1, Name: "main"},
		&trace.ContextCounts{Thread: 1, Full: true, Values: values(tags, 1024)},
		&trace.ContextTags{Thread: 1, Name: "main", Values: onlyTag(1536)},
		&trace.ContextTags{Thread: 2, Name: "worker 1", Values: onlyTag(4608)},
		&trace.ContextTags{Thread: 3, Name: "worker 2", Values: onlyTag(8192)},
	}
	return before, round
}
