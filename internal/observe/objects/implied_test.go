package objects

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/heap/heaptest"
)

// TestImpliedSites: the site that has made most objects of a class need give them no tags, once it has made enough,
// unless others come without a tag. It is said once.
func TestImpliedSites(t *testing.T) {
	const many = firstChoice / 100
	s := newImpliedSites()
	walk := func(objects uint64, first bool) []classes.ImpliedSite {
		var e heaptest.Events
		e.Walk(heaptest.Walk{})
		row := func(class string, n uint64) heaptest.Row {
			return heaptest.Row{Class: class, Objects: n, Bytes: 16 * n}
		}
		e.Born(row("Point@7", objects), row("Point@8", objects/2), // class 3: 2 is that without a tag
			row("Native", objects/10), row("Native@9", objects),
			row("java/lang/String@10", objects), row("[I@11", objects), // the JVM makes such, at any time
			row("Rare@12", 3*objects/8), row("Node@13", 3*objects), row("Other", firstChoice))
		e.Moved(1, row("Rare@12", 100*objects))
		e.Walk(heaptest.Walk{})
		for _, record := range e.All() {
			for kind, data := range record.All() {
				switch {
				case kind == abi.EventHeapClass && first:
					s.class(data)
				case kind == abi.EventHeapRows:
					s.rows(data)
				}
			}
		}
		return s.implied(false)
	}
	for i, w := range []struct {
		objects uint64
		want    []classes.ImpliedSite
	}{
		{many / 40, nil},
		{many, []classes.ImpliedSite{{Tag: 13, Class: 14}, {Tag: 7, Class: 3}}},
		{many, nil}, // there are not twice as many births
		{many, []classes.ImpliedSite{{Tag: 12, Class: 12}}},
	} {
		if diff := cmp.Diff(w.want, walk(w.objects, i == 0)); diff != "" {
			t.Errorf("after %d more: -want +got\n%s", w.objects, diff)
		}
	}
}

// TestImpliedSitesGone: of sites whose objects are met no more nothing is kept but how many these were, which count
// among those of their class.
func TestImpliedSitesGone(t *testing.T) {
	const many = firstChoice
	for _, test := range []struct {
		untagged uint64 // of the class, before its sites are gone
		want     []classes.ImpliedSite
	}{
		{0, []classes.ImpliedSite{{Tag: 7, Class: 3}}},                 // 2 is that without a tag
		{many / rare * 100, []classes.ImpliedSite{{Tag: 7, Class: 3}}}, // of 100 times as many
		{many / rare * 102, nil},
	} {
		s := newImpliedSites()
		var e heaptest.Events
		row := func(class string, n uint64) heaptest.Row {
			return heaptest.Row{Class: class, Objects: n, Bytes: 16 * n}
		}
		e.Walk(heaptest.Walk{})
		e.Born(row("Point", test.untagged), row("Point@7", many))
		e.Walk(heaptest.Walk{})
		for i := range 99 {
			passing, unloaded := fmt.Sprintf("Point@%d", 100+i), fmt.Sprintf("Plugin#%d", i)
			e.Born(row("Point@7", 1), row(passing+"0", many-1), row(passing+"1", 1), row(unloaded, 1),
				row(unloaded+"@1", 1))
			e.Walk(heaptest.Walk{})
			e.Gone(passing+"0", passing+"1", unloaded+"@1", unloaded)
		}
		for _, record := range e.All() {
			for kind, data := range record.All() {
				switch kind {
				case abi.EventHeapClass:
					s.class(data)
				case abi.EventHeapGone:
					s.gone(data)
				case abi.EventHeapRows:
					s.rows(data)
				}
			}
		}
		if len(s.sites) != 2 || len(s.classes) != 1 {
			t.Errorf("%d sites of %d classes are kept", len(s.sites), len(s.classes))
		}
		if diff := cmp.Diff(test.want, s.implied(false)); diff != "" {
			t.Errorf("%d without a tag: -want +got\n%s", test.untagged, diff)
		}
	}
}
