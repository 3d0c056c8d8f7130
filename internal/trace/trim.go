package trace

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Trim writes a recording without what is older than one of its keyframes, to a Writer that has written nothing. Before
// that keyframe there are all definitions and what is said once, and in place of Snapshots and ContextCounts their last
// values, where a thread has ended, or a class is retired, or the keyframe comes. Then there is Kept; from the keyframe
// on, all is as it was. It needs memory for all values. Errors are those of reading and of Write.
func Trim(w *Writer, from io.Reader, kept Kept) error {
	r, err := NewReader(from)
	if err != nil {
		return err
	}
	t := trimmer{w: w, classes: map[ClassID]counterRange{}, threads: map[ThreadID]*trimmedThread{},
		contexts: map[ContextID]*trimmedContext{}, last: map[Kind]Record{},
		sizes: map[MethodID]*TransactionSizes{}}
	for found := false; ; {
		record, err := r.Next()
		switch {
		case err == io.EOF && !found:
			return fmt.Errorf("trace: there is no keyframe at %d ns to begin with", kept.From)
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if k, is := record.(*Keyframe); is && !found && k.Nanos == kept.From {
			found = true
			t.finish(kept)
		}
		if _, is := record.(*Index); is {
			continue // the Writer makes its own
		}
		if found {
			t.write(record)
		} else {
			t.add(record)
		}
		if t.err != nil {
			return t.err
		}
	}
}

// counterRange is counters from first on, before end.
type counterRange struct{ first, end uint64 }

func (r counterRange) has(c CounterID) bool { return uint64(c) >= r.first && uint64(c) < r.end }

// trimmer takes the records before the keyframe.
type trimmer struct {
	w        *Writer
	err      error // the first one of w's
	classes  map[ClassID]counterRange
	threads  map[ThreadID]*trimmedThread // that have not ended
	contexts map[ContextID]*trimmedContext
	last     map[Kind]Record // of kinds of which the last one holds
	sizes    map[MethodID]*TransactionSizes
	retired  []*Retired // one behind the other, that wait for the values of their counters
	nanos    int64      // of the last round
}

// trimmedThread is what is known of a thread.
type trimmedThread struct {
	record *Thread // that was written last
	values map[CounterID]int64
}

// trimmedContext is what was counted in a context.
type trimmedContext struct {
	thread ThreadID
	values map[CounterID]int64
	calls  int64
}

func (t *trimmer) write(r Record) {
	if t.err == nil {
		t.err = t.w.Write(r)
	}
}

func (t *trimmer) thread(id ThreadID) *trimmedThread {
	if t.threads[id] == nil {
		t.threads[id] = &trimmedThread{values: map[CounterID]int64{}}
	}
	return t.threads[id]
}

// add takes a record.
func (t *trimmer) add(r Record) {
	if _, is := r.(*Retired); !is {
		t.retire()
	}
	switch r := r.(type) {
	case *Events, *EventsKeyframe, *EventsLost, *Keyframe, *Kept, *ContextTags:
	case *Mark:
		t.nanos = r.Nanos
	case *Seen, *Adaptation, *ContextTotals:
		t.last[r.kind()] = r
	case *TransactionSizes:
		t.sizes[r.Number] = r
	case *Snapshot:
		thread := t.thread(r.Thread)
		if r.Full {
			clear(thread.values)
		}
		for _, v := range r.Values {
			thread.values[v.Counter] = v.Value
		}
	case *ContextCounts:
		t.count(r)
	case *Thread:
		t.describe(r)
	case *Retired:
		t.retired = append(t.retired, r)
	case *ClassDef:
		t.classes[r.ID] = counterRange{uint64(r.CounterBase), uint64(r.CounterBase) + uint64(r.Counters)}
		t.write(r)
	default:
		t.write(r)
	}
}

// describe writes what is new about a thread, and its values where it has ended.
func (t *trimmer) describe(r *Thread) {
	thread := t.thread(r.ID)
	if r.Ended {
		t.snapshot(r.ID, true, func(CounterID) bool { return true })
		delete(t.threads, r.ID)
	}
	if thread.record == nil || *thread.record != *r {
		thread.record = r
		t.write(r)
	}
}

// count takes what was counted in contexts, one behind the other.
func (t *trimmer) count(r *ContextCounts) {
	context := func(id ContextID) *trimmedContext {
		if t.contexts[id] == nil {
			t.contexts[id] = &trimmedContext{values: map[CounterID]int64{}}
		}
		t.contexts[id].thread = r.Thread
		return t.contexts[id]
	}
	for i, v := range r.Values {
		c := context(v.Context)
		if r.Full && (i == 0 || r.Values[i-1].Context != v.Context) {
			clear(c.values)
		}
		c.values[v.Counter] = v.Value
	}
	for _, v := range r.Invocations {
		context(v.Context).calls = v.Count
	}
}

// retire writes the values of classes that are gone, whose numbers others may get.
func (t *trimmer) retire() {
	if len(t.retired) == 0 {
		return
	}
	are := func(c CounterID) bool {
		return slices.ContainsFunc(t.retired, func(r *Retired) bool { return t.classes[r.Class].has(c) })
	}
	for _, id := range slices.Sorted(maps.Keys(t.threads)) {
		t.snapshot(id, false, are)
	}
	t.countContexts(are)
	for _, r := range t.retired {
		t.write(r)
	}
	t.retired = nil
}

// finish writes what is known at the keyframe.
func (t *trimmer) finish(kept Kept) {
	t.retire()
	all := func(CounterID) bool { return true }
	for _, id := range slices.Sorted(maps.Keys(t.threads)) {
		t.snapshot(id, true, all)
	}
	t.countContexts(all)
	for _, kind := range slices.Sorted(maps.Keys(t.last)) {
		t.write(t.last[kind])
	}
	for _, number := range slices.Sorted(maps.Keys(t.sizes)) {
		t.write(t.sizes[number])
	}
	t.write(&kept)
}

// snapshot writes, and forgets, some values of a thread.
func (t *trimmer) snapshot(id ThreadID, full bool, some func(CounterID) bool) {
	s, values := &Snapshot{Nanos: t.nanos, Thread: id, Full: full}, t.thread(id).values
	for _, c := range slices.Sorted(maps.Keys(values)) {
		if some(c) {
			s.Values = append(s.Values, CounterValue{c, values[c]})
			delete(values, c)
		}
	}
	if len(s.Values) > 0 {
		t.write(s)
	}
}

// trimmedValues bounds the values of a ContextCounts, but for its last context.
const trimmedValues = 4096

// countContexts writes, and forgets, some values of contexts, thread by thread.
func (t *trimmer) countContexts(some func(CounterID) bool) {
	ids := slices.SortedFunc(maps.Keys(t.contexts), func(a, b ContextID) int {
		return cmp.Or(cmp.Compare(t.contexts[a].thread, t.contexts[b].thread), cmp.Compare(a, b))
	})
	var r *ContextCounts
	flush := func() {
		if r != nil && len(r.Values)+len(r.Invocations) > 0 {
			t.write(r)
		}
		r = nil
	}
	for _, id := range ids {
		c := t.contexts[id]
		if r == nil || r.Thread != c.thread || len(r.Values) >= trimmedValues || len(r.Invocations) >= trimmedValues {
			flush()
			r = &ContextCounts{Nanos: t.nanos, Thread: c.thread}
		}
		for _, counter := range slices.Sorted(maps.Keys(c.values)) {
			if some(counter) {
				r.Values = append(r.Values, ContextValue{Context: id, Counter: counter, Value: c.values[counter]})
				delete(c.values, counter)
			}
		}
		if c.calls != 0 {
			r.Invocations = append(r.Invocations, ContextInvocations{Context: id, Count: c.calls})
			c.calls = 0
		}
		if len(c.values) == 0 {
			delete(t.contexts, id)
		}
	}
	flush()
}
