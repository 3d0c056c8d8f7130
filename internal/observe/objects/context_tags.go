package objects

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"mallard/internal/abi"
	"mallard/internal/counters"
	"mallard/internal/heap"
	"mallard/internal/observe"
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
	walks    walks
	now      func() time.Duration // since the recording began
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
	at      time.Duration // when
}

// tagsMost is how many tags a record has.
const tagsMost = 4096

func newContextTags(now func() time.Duration) *contextTags {
	return &contextTags{counters: map[trace.CounterID]bool{}, threads: map[trace.ThreadID]*tagThread{},
		tags: map[uint32]contextTag{}, now: now}
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
				t.note(uint32(v.Value), contextTag{v.Context, v.Counter, r.Thread, t.rounds, t.now()})
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

// walked notes a walk, of which the end has come.
func (t *contextTags) walked(start time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.walks.add(start)
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
		case isHeld[tag] || is.at >= t.walks.met():
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

// follower follows a heap, has keyframes say what its tags stand for, and numbers given again that no object has.
type follower struct {
	heap  *heap.Follower
	tags  *contextTags
	space *counters.Space
	walks walks
}

// walksUntilMet is how many walks have met all objects that were made before them by their tags: one may find an
// object while its constructor runs, and a collection may leave it where the next one does not look.
const walksUntilMet = 4

// walks has when the last ones began, the oldest first. What the recorder knows of the heap is often seconds behind
// what it knows of classes and contexts.
type walks [walksUntilMet]time.Duration

func (w *walks) add(start time.Duration) {
	copy(w[:], w[1:])
	w[walksUntilMet-1] = start
}

// met is a time so that all that was made before it has been met; 0 where there is none.
func (w *walks) met() time.Duration { return w[0] }

// newFollower follows each single object, or none.
func newFollower(each bool, of *observe.Host) *follower {
	now := func() time.Duration { return time.Duration(of.Recording.Elapsed()) }
	f := &follower{heap: heap.NewFollower(each), tags: newContextTags(now), space: of.Space}
	of.Recording.Watch(f.tags.see)
	return f
}

// Take takes the next event.
func (f *follower) Take(kind uint16, data []byte) {
	f.heap.Take(kind, data)
	if kind != abi.EventHeapWalk {
		return
	}
	if start, good := heap.WalkStart(data); good {
		f.walks.add(start)
		f.tags.walked(start)
		f.space.Release(f.walks.met(), start, f.heap.Carried)
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
