package waste

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile"
)

// TestEmptyCollections: of a place's collections those have stayed empty for which there are no arrays, even if all
// arrays of the program were theirs, whoever made them. What is certainly a later array is no collection's first.
func TestEmptyCollections(t *testing.T) {
	list := made{stack: in(), class: "java.util.ArrayList"}
	grown := made{stack: in("java.util.ArrayList.grow(I) 37 8"), class: "java.lang.Object[]", elements: 1000,
		copied: true}
	table := made{stack: in("java.util.HashMap.putVal() 20 8", "java.util.HashMap.resize() 1 2"),
		class: "java.util.HashMap$Node[]", elements: 1600}
	larger := made{stack: in("java.util.HashMap.putVal() 270 9", "java.util.HashMap.resize() 1 2"),
		class: "java.util.HashMap$Node[]", elements: 3200, copied: true}
	other := []string{"app.Main.other() 1 80"}
	for name, test := range map[string]struct {
		made   []made
		arrays []int64 // of the cells that are arrays
		change func(p *profile.Profile)
		filter profile.Filter
		want   []string
	}{
		"lists": {[]made{list, grown}, []int64{30}, nil, profile.Filter{},
			[]string{"empty collections: java.util.ArrayList at app.Main.main:70 x70",
				"growth: java.util.ArrayList at app.Main.main:70 x30"}},
		"more arrays": {[]made{list, grown}, []int64{130}, nil, profile.Filter{},
			[]string{"growth: java.util.ArrayList at app.Main.main:70 x130"}},
		"none filled": {[]made{list, grown}, []int64{0}, nil, profile.Filter{},
			[]string{"empty collections: java.util.ArrayList at app.Main.main:70 x100"}},
		"no array known": {[]made{list}, nil, nil, profile.Filter{}, nil},
		"all the JVM made is not known": {[]made{list, grown}, []int64{0},
			func(p *profile.Profile) { p.Reconciliation = nil }, profile.Filter{}, nil},
		"two places": {[]made{list, {stack: other, class: "java.util.ArrayList"}, grown}, []int64{10}, nil,
			profile.Filter{}, []string{"empty collections: java.util.ArrayList at app.Main.main:70 x90",
				"empty collections: java.util.ArrayList at app.Main.other:80 x90",
				"growth: java.util.ArrayList at app.Main.main:70 x10"}},
		"tables": {[]made{{stack: in(), class: "java.util.LinkedHashMap"}, table, larger}, []int64{20, 90}, nil,
			profile.Filter{}, []string{"empty collections: java.util.LinkedHashMap at app.Main.main:70 x80",
				"growth: java.util.HashMap at app.Main.main:70 x90"}},
		"another class's arrays": {[]made{list, grown, {stack: in(), class: "java.lang.Object[]", elements: 3}},
			[]int64{30, 100}, nil, profile.Filter{Class: "java.util.ArrayList"},
			[]string{"empty collections: java.util.ArrayList at app.Main.main:70 x70"}},
		"filled by another thread": {[]made{list, grown}, []int64{30}, func(p *profile.Profile) {
			cells := p.Threads[0].Cells
			p.Threads = []profile.Thread{{Name: "main", Cells: cells[:1]}, {Name: "other", Cells: cells[1:]}}
		}, profile.Filter{Thread: "main"}, []string{"empty collections: java.util.ArrayList at app.Main.main:70 x70"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := profileOf(true, test.made...)
			p.Reconciliation = &profile.Reconciliation{}
			cells, k := p.Threads[0].Cells, 0
			for i := range cells {
				if p.Sites[cells[i].Site].Array {
					n := test.arrays[k]
					cells[i].Amount = profile.Amount{Objects: n, Elements: n, Bytes: 24 * n}
					k++
				}
			}
			if test.change != nil {
				test.change(p)
			}
			if diff := cmp.Diff(test.want, shown(Ask(p, Query{Filter: test.filter}))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	place := Place{Amount: profile.Amount{Objects: 10, Unsized: 4, Bytes: 96}}
	if place.leaveEmpty(3); place.Amount != (profile.Amount{Objects: 7, Unsized: 7}) {
		t.Errorf("of unknown size: %+v", place.Amount)
	}
	place = Place{Amount: profile.Amount{Objects: 10, Bytes: 240}}
	if place.leaveEmpty(3); place.Amount != (profile.Amount{Objects: 7, Bytes: 168}) {
		t.Errorf("%+v", place.Amount)
	}
}

// TestEmptyOfOthers: collections that no line of the user's led to are not said to be waste, as most may be full.
func TestEmptyOfOthers(t *testing.T) {
	p := profileOf(true, made{stack: []string{"lib.Pool.run() 1 2"}, class: "java.util.ArrayList"},
		made{stack: in("java.util.ArrayList.grow(I) 37 8"), class: "java.lang.Object[]", elements: 1000})
	p.Reconciliation = &profile.Reconciliation{}
	if a := Ask(p, Query{Mine: &profile.Mine{Patterns: "app.*"}}); a.Others != (profile.Amount{}) || len(a.Rows) > 0 {
		t.Errorf("%+v", a)
	}
}
