package objects

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/trace"
)

// TestContextTags: a keyframe has the tags that objects may have, of contexts that its round does not have, and no
// others; what no object can have is forgotten, with its thread, and may be given again where that has ended.
func TestContextTags(t *testing.T) {
	now := time.Duration(1)
	tags := newContextTags(func() time.Duration { return now })
	counts := func(thread trace.ThreadID, values ...trace.ContextValue) {
		tags.see(&trace.ContextCounts{Thread: thread, Full: true, Values: values})
	}
	check := func(what string, held []uint32, want ...*trace.ContextTags) {
		t.Helper()
		if diff := cmp.Diff(want, tags.missing(slices.Values(held))); diff != "" {
			t.Errorf("%s: -want +got\n%s", what, diff)
		}
	}
	tags.see(&trace.ClassDef{CounterBase: 100, Counters: 3, Methods: []trace.MethodDef{{Counters: []trace.CounterDef{
		{Counter: 0, Kind: trace.Path}, {Counter: 1, Kind: trace.Tag}, {Counter: 2, Kind: trace.Tag}}}}})
	tags.see(&trace.Thread{ID: 1, Name: "main"})
	counts(1, trace.ContextValue{Context: 512, Counter: 100, Value: 9}, // counts objects
		trace.ContextValue{Context: 512, Counter: 101, Value: 7},
		trace.ContextValue{Context: 1024, Counter: 102, Value: 8},
		trace.ContextValue{Context: 1536, Counter: 101, Value: -1}, // is damaged
		trace.ContextValue{Context: 2048, Counter: 101, Value: 1 << 40})
	tags.see(&trace.Thread{ID: 2, Name: "ends"})
	counts(2, trace.ContextValue{Context: 4096, Counter: 102, Value: 11},
		trace.ContextValue{Context: 2560, Counter: 102, Value: 10})
	tags.see(&trace.Thread{ID: 2, Name: "ended", Carrier: true, Ended: true})
	tags.see(&trace.Thread{ID: 3, Name: "has made nothing", Ended: true})

	keyframe := func() {
		tags.see(&trace.Keyframe{})
		tags.see(&trace.Thread{ID: 1, Name: "main"})
		counts(1, trace.ContextValue{Context: 512, Counter: 101, Value: 7})
	}
	unloaded := &trace.ContextTags{Thread: 1, Name: "main", Values: []trace.ContextValue{{Context: 1024, Counter: 102,
		Value: 8}}}
	ended := func(values ...trace.ContextValue) *trace.ContextTags {
		return &trace.ContextTags{Thread: 2, Name: "ended", Carrier: true, Values: values}
	}
	first := trace.ContextValue{Context: 2560, Counter: 102, Value: 10}
	second := trace.ContextValue{Context: 4096, Counter: 102, Value: 11}
	gone := func(what string, held []uint32, want ...uint32) {
		t.Helper()
		got := tags.gone(slices.Values(held))
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", what, diff)
		}
		if tags.mayGo(0) {
			t.Errorf("%s: more may be gone", what)
		}
	}
	keyframe()
	check("no walk has come", nil, unloaded, ended(first, second))
	gone("no walk has come", nil)
	for range walksUntilMet {
		tags.walked(now) // they had begun before
	}
	for range walksUntilMet - 1 {
		tags.walked(now + 1)
	}
	keyframe()
	check("few have come", nil, unloaded, ended(first, second))
	gone("few have come", nil)
	tags.walked(now + 1)
	if now++; !tags.mayGo(2) || tags.mayGo(3) {
		t.Error("two tags may be gone")
	}
	keyframe()
	check("all have", []uint32{7, 11, 12}, ended(second))
	gone("all have", []uint32{7, 11, 12}, 10)
	for range walksUntilMet {
		tags.walked(now + 1)
	}
	if now += 2; tags.mayGo(1) {
		t.Error("objects had what may be gone")
	}
	keyframe()
	check("later", []uint32{8, 10, 11}, ended(second)) // 8 and 10 are others'
	keyframe()
	check("nothing is held", nil)
	gone("nothing is held", nil, 11)
	if len(tags.tags) != 1 || len(tags.threads) != 1 {
		t.Errorf("%v and %v are left", tags.tags, tags.threads)
	}
}
