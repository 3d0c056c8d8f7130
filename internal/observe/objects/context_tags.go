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
// reader lacks that begins at a keyframe: those of contexts that are recorded no more. It also knows which no object
// can have, nor get any more. It needs memory for the tags of contexts that are recorded, and of objects that are
// there. Any goroutine may use it.
type contextTags struct {
	mu       sync.Mutex
	counters map[trace.CounterID]bool // of the kind Tag, of classes that had their numbers last
	threads  map[trace.ThreadID]*tagThread
	tags     map[uint32]contextTag
	rounds   uint32 // that began with a keyframe
	walks    walks
	ended    int                  // tags of threads that have ended
	carried  int                  // of these, how many objects had when gone was asked
	asked    time.Duration        // when that was
	now      func() time.Duration // since the recording began
}

// tagThread is a thread that has not ended, or whose tags are known.
type tagThread struct {
	trace.Thread
	tags int           // that are known
	end  time.Duration // when it was known to have ended, if it has
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
			if tag, ok := counters.ContextTag(v.Value); ok && t.counters[v.Counter] {
				t.note(tag, contextTag{v.Context, v.Counter, r.Thread, t.rounds, t.now()})
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
	thread := t.thread(r.ID)
	if r.Ended && !thread.Ended {
		thread.end = t.now()
		t.ended += thread.tags
	}
	thread.Thread = *r
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
	t.count(is.thread, 1)
	if known {
		t.count(was.thread, -1)
	}
}

// count notes that more or fewer tags of a thread are known.
func (t *contextTags) count(id trace.ThreadID, more int) {
	thread := t.thread(id)
	thread.tags += more
	if thread.Ended {
		t.ended += more
	}
	t.release(id)
}

func (t *contextTags) forget(tag uint32) {
	id := t.tags[tag].thread
	delete(t.tags, tag)
	t.count(id, -1)
}

// walked notes a walk, of which the end has come.
func (t *contextTags) walked(start time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.walks.add(start)
}

// mayGo reports whether gone is worth its while: so many tags may have come to their end since it was asked.
func (t *contextTags) mayGo(least int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended-t.carried >= least && t.asked < t.walks.met()
}

// unmet notes that the agent has given up what objects may have.
func (t *contextTags) unmet() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.carried = 0
}

// gone gives, and forgets, those that no object has, nor gets any more: their threads have ended, and all that these
// made has been met. Objects that are there have some.
func (t *contextTags) gone(held iter.Seq[uint32]) (tags []uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	isHeld := setOf(held)
	t.carried, t.asked = 0, t.now()
	for tag, is := range t.tags {
		switch thread := t.threads[is.thread]; {
		case !thread.Ended:
		case isHeld[tag]:
			t.carried++
		case thread.end < t.walks.met():
			t.forget(tag)
			tags = append(tags, tag)
		}
	}
	return tags
}

func setOf(tags iter.Seq[uint32]) map[uint32]bool {
	set := map[uint32]bool{}
	for tag := range tags {
		set[tag] = true
	}
	return set
}

// missing gives those that the round of a keyframe lacks in which all contexts were recorded, by thread, and forgets
// those that no object can have but those of threads that have ended, which are for gone. Objects that are there have
// some.
func (t *contextTags) missing(held iter.Seq[uint32]) (list []*trace.ContextTags) {
	t.mu.Lock()
	defer t.mu.Unlock()
	isHeld := setOf(held)
	values := map[trace.ThreadID][]trace.ContextValue{}
	for tag, is := range t.tags {
		switch {
		case is.round == t.rounds:
		case isHeld[tag] || is.at >= t.walks.met():
			values[is.thread] = append(values[is.thread],
				trace.ContextValue{Context: is.context, Counter: is.counter, Value: int64(tag)})
		case !t.threads[is.thread].Ended:
			t.forget(tag)
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
	heap   *heap.Follower
	tags   *contextTags
	space  *counters.Space
	walks  walks
	memory *counters.Memory
	turns  *counters.Tags // of those of sites in contexts
	worth  int            // for how many it is worth it to look which no object has: a sixteenth of all
	again  []uint32       // these, with their next turns, until there is room for them
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
	f := &follower{heap: heap.NewFollower(each), tags: newContextTags(now), space: of.Space, memory: of.Memory,
		turns: of.Tags, worth: int(abi.TagNone-of.Memory.Word(abi.OverflowBlock, abi.WordTags)) / 16}
	of.Recording.Watch(f.tags.see)
	return f
}

// Take takes the next event.
func (f *follower) Take(kind uint16, data []byte) {
	f.heap.Take(kind, data)
	switch kind {
	case abi.EventHeapGone:
		f.tags.unmet()
	case abi.EventHeapWalk:
		if start, good := heap.WalkStart(data); good {
			f.walks.add(start)
			f.tags.walked(start)
			f.space.Release(f.walks.met(), start, f.heap.Carried)
			f.giveAgain()
		}
	}
}

// giveAgain has threads give tags again that no object has, if that is known.
func (f *follower) giveAgain() {
	if f.tags.mayGo(f.worth) {
		_, known := f.heap.Carried()
		for _, tag := range f.tags.gone(f.heap.Tags()) {
			number := trace.CounterID(tag & abi.TagOthers)
			if _, ok := f.turns.Again(counters.Range{First: number, End: number + 1}); ok && known {
				f.memory.LeaveAlone(uint32(number), false)
				f.again = append(f.again, f.turns.Turned(uint32(number)))
			}
		}
	}
	if len(f.again) > 0 {
		f.again = f.memory.GiveAgain(f.again)
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
