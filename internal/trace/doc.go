// Package trace is the recording: the .mallard file that observers append to
// and that questions are answered from. docs/format.md specifies it.
//
// A recording is a sequence of records in checksummed blocks. Package trace
// knows how records are written down, in binary and as text, and what to do
// about files that are damaged, cut short or hostile. It does not know what
// the counts in them add up to; that is package profile.
//
// Writing, and reading back what survived:
//
//	w := trace.NewWriter(file)
//	w.Write(&trace.Thread{ID: 1, Name: "main"})
//	w.Write(&trace.Snapshot{Thread: 1, Values: []trace.CounterValue{{Counter: 7, Value: 2}}})
//	w.Flush()
//
//	r, err := trace.NewReader(file)
//	for {
//		record, err := r.Next() // io.EOF at the end
//		switch record := record.(type) {
//		case *trace.Snapshot:
//			...
//		}
//	}
//	for _, damage := range r.Damage() { ... }
package trace
