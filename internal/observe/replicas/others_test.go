package replicas

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/observe/objects"
	"mallard/internal/trace"
)

// alone is tags in memory that nobody shares.
type alone map[uint32]bool

func (a alone) IsLeftAlone(tag uint32) bool { return a[tag] }

func (a alone) LeaveAlone(tag uint32, is bool) {
	if delete(a, tag); is {
		a[tag] = true
	}
}

// shop has a method with two sites, one without, and two with one each.
func shop(id trace.ClassID, base trace.CounterID, name string) *trace.ClassDef {
	method := func(name string, sites int, counters ...trace.CounterDef) trace.MethodDef {
		return trace.MethodDef{Name: name, Sites: make([]trace.SiteDef, sites), Counters: counters}
	}
	tag := func(n uint32) trace.CounterDef { return trace.CounterDef{Counter: n, Kind: trace.Tag} }
	return &trace.ClassDef{ID: id, CounterBase: base, Counters: 8, Name: name, Methods: []trace.MethodDef{
		method("slow", 2, trace.CounterDef{Counter: 0}, tag(1), tag(2)), method("none", 0),
		method("fast", 1, trace.CounterDef{Counter: 3}, tag(4)), method("<init>", 1, tag(5))}}
}

// TestOthers: the tags of all sites are left alone but those of chosen methods, as long as they are theirs.
func TestOthers(t *testing.T) {
	tags := alone{}
	o := newOthers("Shop.slow, Cart.*", tags, func() bool { return false })
	check := func(when string, want ...uint32) {
		t.Helper()
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(tags))); diff != "" {
			t.Errorf("%s: -want +got\n%s", when, diff)
		}
	}
	o.see(shop(1, 100, "demo/Shop"))
	check("a class", 102, 103)
	o.see(shop(2, 200, "demo/Shop")) // another version
	o.see(shop(3, 300, "Cart"))
	o.see(shop(4, 400, "demo/Cart")) // the pattern has the whole name
	check("four", 102, 103, 202, 203, 400, 401, 402, 403)
	o.see(&trace.Retired{Class: 4})
	o.see(&trace.Retired{Class: 2})
	o.see(&trace.Retired{Class: 77})
	check("two are gone", 102, 103)
	o.see(shop(5, 401, "Cart"))
	check("another has the numbers", 102, 103)
	o.see(shop(6, 101, "demo/Shop")) // the end of the one before is not known
	check("and again", 103, 104)
}

// TestOthersInContexts: there a tag is what a counter has, from when that was counted; no other tag is one.
func TestOthersInContexts(t *testing.T) {
	tags := alone{}
	o := newOthers("Shop.slow", tags, func() bool { return true })
	o.see(shop(1, 100, "demo/Shop"))
	counted := func(counter trace.CounterID, value int64) {
		o.see(&trace.ContextCounts{Values: []trace.ContextValue{{Counter: counter, Value: value}}})
	}
	for i := range 8 {
		counted(100+trace.CounterID(i), int64(11+i))
	}
	counted(104, abi.TagNone)
	counted(104, 0)
	counted(104, 21) // in another context
	want := alone{15: true, 16: true, 21: true}
	if diff := cmp.Diff(want, tags); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	o.see(&trace.Retired{Class: 1})
	counted(104, 31)
	if diff := cmp.Diff(want, tags); diff != "" {
		t.Errorf("when the class is gone: -want +got\n%s", diff)
	}
}

// TestChoices: what comes to nothing is refused.
func TestChoices(t *testing.T) {
	for _, test := range []struct {
		choices map[string]string
		noTags  bool
		counts  bool // for others
		good    bool
	}{
		{map[string]string{}, true, false, true},
		{map[string]string{"replicas-in": "Shop"}, false, false, true},
		{map[string]string{"replicas-in": "Shop", "replicas-of": "String", "replicas": "both"}, false, false, true},
		{map[string]string{"replicas-of": "String"}, true, false, true},
		{map[string]string{"replicas": "sampled"}, true, false, true},
		{map[string]string{"replicas-in": "Shop"}, true, false, false},
		{map[string]string{"replicas-in": "Shop", "replicas": "sampled"}, false, false, false},
		{map[string]string{"replicas-of": "String", "replicas": "sampled"}, false, false, false},
		{map[string]string{"replicas": "sampled", "no-sites": "true"}, false, false, true},
		{map[string]string{"replicas": "sampled", "no-sites": "true"}, false, true, false},
		{map[string]string{"replicas": "both", "no-sites": "true"}, false, false, false},
	} {
		var walked objects.Settings
		tags := objects.Define(&walked).Options[0]
		d := Define(&walked, func() bool { return test.counts })
		for _, option := range d.Options {
			if text := test.choices[option.Name]; text != "" && option.Set(text) != nil {
				t.Errorf("%s=%s is refused", option.Name, text)
			}
		}
		if test.noTags && tags.Set("true") != nil {
			t.Fatal(tags.Name)
		}
		if err := d.Check(); err == nil != test.good {
			t.Errorf("%v, without tags %v: error %v", test.choices, test.noTags, err)
		}
	}
}
