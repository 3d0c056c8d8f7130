package objects

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"sync"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/recording"
	"mallard/internal/trace"
)

// contextTags knows what tags of objects stand for where contexts are recorded, as records say it, and which of them a
// reader lacks that begins at a keyframe: those of contexts that are recorded no more. It needs memory for the tags of
// contexts that are recorded, and of objects that are there. Any goroutine may use it.
type contextTags struct {
	mu       sync.Mutex
	counters map[trace.CounterID]bool // of the kind Tag, of classes that had their numbers last
	threads  map[trace.ThreadID]*tagThread
	tags     map[uint32]contextTag
	rounds   uint32 // that began with a keyframe
	walks    uint32
}

// tagThread is a thread that has not ended, or whose tags are known.
type tagThread struct {
	trace.Thread
	tags int // that are known
}

// contextTag is what a tag stands for, as was recorded last.
type contextTag struct {
	context trace.ContextID
	counter trace.CounterID
	thread  trace.ThreadID
	round   uint32
	walks   uint32 // that there had been
}

// walksUntilSeen is how many walks have all objects that were made before them known by their tags: one may find an
// object while its constructor runs, and a collection may leave it where the next one does not look.
const walksUntilSeen = 4

// tagsMost is how many tags a record has.
const tagsMost = 4096

func newContextTags() *contextTags {
	return &contextTags{counters: map[trace.CounterID]bool{}, threads: map[trace.ThreadID]*tagThread{},
		tags: map[uint32]contextTag{}}
}

// see takes what is recorded, one record at a time.
func (t *contextTags) see(record trace.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch r := record.(type) {
	case *trace.Keyframe:
		t.rounds++
	case *trace.ClassDef:
		t.define(r)
	case *trace.Thread:
		t.describe(r)
	case *trace.ContextCounts:
		for _, v := range r.Values {
			if t.counters[v.Counter] && v.Value > 0 && v.Value < abi.TagNone {
				t.note(uint32(v.Value), contextTag{v.Context, v.Counter, r.Thread, t.rounds, t.walks})
			}
		}
	}
}

// define notes which of a class's counters are tags. Those of classes that are gone are counted in contexts still.
func (t *contextTags) define(class *trace.ClassDef) {
	for i := range class.Methods {
		for _, c := range class.Methods[i].Counters {
			if number := class.CounterBase + trace.CounterID(c.Counter); c.Kind == trace.Tag {
				t.counters[number] = true
			} else {
				delete(t.counters, number)
			}
		}
	}
}

func (t *contextTags) describe(r *trace.Thread) {
	if len(t.counters) == 0 {
		return
	}
	t.thread(r.ID).Thread = *r
	t.release(r.ID)
}

func (t *contextTags) thread(id trace.ThreadID) *tagThread {
	if t.threads[id] == nil {
		t.threads[id] = &tagThread{Thread: trace.Thread{ID: id}}
	}
	return t.threads[id]
}

// release forgets a thread that has ended, if it has no tags.
func (t *contextTags) release(id trace.ThreadID) {
	if thread := t.threads[id]; thread.Ended && thread.tags == 0 {
		delete(t.threads, id)
	}
}

func (t *contextTags) note(tag uint32, is contextTag) {
	was, known := t.tags[tag]
	t.tags[tag] = is
	t.thread(is.thread).tags++
	if known {
		t.threads[was.thread].tags--
		t.release(was.thread)
	}
}

// walked notes the end of a walk.
func (t *contextTags) walked() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.walks++
}

// missing gives those that the round of a keyframe lacks in which all contexts were recorded, by thread, and forgets
// those that no object can have. Objects that are there have some.
func (t *contextTags) missing(held iter.Seq[uint32]) (list []*trace.ContextTags) {
	t.mu.Lock()
	defer t.mu.Unlock()
	isHeld := map[uint32]bool{}
	for tag := range held {
		isHeld[tag] = true
	}
	values := map[trace.ThreadID][]trace.ContextValue{}
	for tag, is := range t.tags {
		switch {
		case is.round == t.rounds:
		case isHeld[tag] || t.walks-is.walks < walksUntilSeen:
			values[is.thread] = append(values[is.thread],
				trace.ContextValue{Context: is.context, Counter: is.counter, Value: int64(tag)})
		default:
			delete(t.tags, tag)
			t.threads[is.thread].tags--
			t.release(is.thread)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(values)) {
		slices.SortFunc(values[id], func(a, b trace.ContextValue) int {
			return cmp.Or(cmp.Compare(a.Context, b.Context), cmp.Compare(a.Counter, b.Counter))
		})
		for some := range slices.Chunk(values[id], tagsMost) {
			list = append(list, &trace.ContextTags{Thread: id, Name: t.threads[id].Name,
				Carrier: t.threads[id].Carrier, Values: some})
		}
	}
	return list
}

// follower follows a heap, and has keyframes say what its tags stand for.
type follower struct {
	heap *heap.Follower
	tags *contextTags
}

// newFollower follows each single object, or none.
func newFollower(each bool, of *recording.Recording) *follower {
	f := &follower{heap.NewFollower(each), newContextTags()}
	of.Watch(f.tags.see)
	return f
}

// Take takes the next event.
func (f *follower) Take(kind uint16, data []byte) {
	f.heap.Take(kind, data)
	if kind == abi.EventHeapWalk {
		f.tags.walked()
	}
}

// Keyframe says what all events so far come to.
func (f *follower) Keyframe() iter.Seq[trace.Record] {
	return func(yield func(trace.Record) bool) {
		for part := range f.heap.Keyframe() {
			if !yield(part) {
				return
			}
		}
		for _, tags := range f.tags.missing(f.heap.Tags()) {
			if !yield(tags) {
				return
			}
		}
	}
}
