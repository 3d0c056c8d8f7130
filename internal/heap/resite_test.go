package heap

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

// TestBySites: objects of one class are told apart by what they are tagged with; those whose site nobody knows, and
// those that have no tag, are one. An object that was found without a tag, while its constructor ran, and is there with
// one afterwards, was born at its site.
func TestBySites(t *testing.T) {
	var e heaptest.Events
	e.Born(heaptest.Row{Class: "P@7", Objects: 10, Bytes: 240}, heaptest.Row{Class: "P@8", Objects: 5, Bytes: 120},
		heaptest.Row{Class: "P@99", Objects: 2, Bytes: 48}, heaptest.Row{Class: "P", Objects: 4, Bytes: 96},
		heaptest.Row{Class: "Q@7", Objects: 1, Bytes: 16})
	e.Walk(heaptest.Walk{Start: 1e9})
	e.Finish(1e9, abi.HeapYoung)
	e.Moved(1, heaptest.Row{Class: "P@7", Objects: 12, Bytes: 288}, heaptest.Row{Class: "P@9", Objects: 1, Bytes: 24})
	e.Walk(heaptest.Walk{Start: 2e9, Last: true})

	sites := map[uint32]*profile.Site{7: {Method: "seven"}, 8: {Method: "eight"}, 9: {Method: "nine"}}
	h := NewHistory(e.All()).BySites(func(tag uint32) profile.Made { return profile.Made{Site: sites[tag]} })
	type of struct{ class, site string }
	got := map[of]DiffAmounts{}
	for _, r := range h.Diff(Start, 1, Query{By: []By{BySite}}).Rows {
		o := of{class: h.Name(r.Class)}
		if site := h.Site(r.Class); site != nil {
			o.site = site.Method
		}
		got[o] = r.DiffAmounts
	}
	want := map[of]DiffAmounts{
		{"P", "seven"}: {After: Amount{12, 288}, Born: Amount{12, 288}},
		{"P", "eight"}: {Born: Amount{5, 120}},
		{"P", "nine"}:  {After: Amount{1, 24}, Born: Amount{1, 24}},
		{"P", ""}:      {Born: Amount{3, 72}},
		{"Q", "seven"}: {Born: Amount{1, 16}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if !h.IsTagged() {
		t.Error("it is not tagged")
	}
}

// TestImpliedSite: an object whose constructor ran when it was found, and that was taken for one of the site that gives
// no tags, is one of its own site from its birth on. One that has no tag as well was found as such, unless it is still
// there.
func TestImpliedSite(t *testing.T) {
	var e heaptest.Events
	e.Implied("P@7")
	e.Born(heaptest.Row{Class: "P@7", Objects: 10, Bytes: 240}, heaptest.Row{Class: "P@8", Objects: 2, Bytes: 48},
		heaptest.Row{Class: "Q", Objects: 1, Bytes: 16}, heaptest.Row{Class: "R", Objects: 1, Bytes: 16},
		heaptest.Row{Class: "R@7", Objects: 5, Bytes: 80})
	e.Implied("Q@7")
	e.Implied("R@7")
	e.Walk(heaptest.Walk{Start: 1e9, Used: [abi.HeapSpaces]uint64{abi.HeapEden: 400}})
	e.Finish(1e9, abi.HeapYoung)
	e.Moved(1, heaptest.Row{Class: "P@7", Objects: 1, Bytes: 24}, heaptest.Row{Class: "P@8", Objects: 3, Bytes: 72},
		heaptest.Row{Class: "Q@8", Objects: 1, Bytes: 16}, heaptest.Row{Class: "R", Objects: 1, Bytes: 16},
		heaptest.Row{Class: "R@8", Objects: 1, Bytes: 16})
	e.Walk(heaptest.Walk{Start: 2e9, Last: true, Used: [abi.HeapSpaces]uint64{abi.HeapSurvivor: 144}})

	sites := map[uint32]*profile.Site{7: {Method: "seven"}, 8: {Method: "eight"}}
	h := NewHistory(e.All()).BySites(func(tag uint32) profile.Made { return profile.Made{Site: sites[tag]} })
	type of struct{ class, site string }
	got := map[of]int64{}
	for _, r := range h.Diff(Start, 1, Query{By: []By{BySite}}).Rows {
		o := of{class: h.Name(r.Class)}
		if site := h.Site(r.Class); site != nil {
			o.site = site.Method
		}
		got[o] = r.Born.Objects
	}
	want := map[of]int64{{"P", "seven"}: 9, {"P", "eight"}: 3, {"Q", ""}: 0, {"Q", "eight"}: 1,
		{"R", ""}: 1, {"R", "seven"}: 4, {"R", "eight"}: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if list := h.Check(17).Violations; len(list) > 0 || h.Implied() != 3 {
		t.Errorf("%v; %d sites give no tags", list, h.Implied())
	}
}

// TestResited: an array that was found without a tag is moved to its site out of a place where it may have been, also
// where another one of that site has died meanwhile.
func TestResited(t *testing.T) {
	var e heaptest.Events
	e.Born(heaptest.Row{Class: "[I", Objects: 10, Bytes: 400}, heaptest.Row{Class: "[I@7", Objects: 3, Bytes: 72},
		heaptest.Row{Class: "[J", Objects: 5, Bytes: 100_000}, heaptest.Row{Class: "[J@7", Objects: 1, Bytes: 50_000},
		heaptest.Row{Class: "[B", Objects: 2, Bytes: 48}, heaptest.Row{Class: "[B@7", Objects: 1, Bytes: 24})
	e.Moved(1, heaptest.Row{Class: "[I", Objects: 1, Bytes: 1_048_592})
	e.Walk(heaptest.Walk{Start: 1e9, Used: [abi.HeapSpaces]uint64{abi.HeapEden: 150_544, abi.HeapSurvivor: 1_048_592}})
	e.Finish(1e9, abi.HeapEverything)
	e.Moved(1, heaptest.Row{Class: "[I@7", Objects: 3, Bytes: 48 + 1_048_592}, // one of 24 bytes has died
		heaptest.Row{Class: "[J@7", Objects: 2, Bytes: 32}, // that of 50,000 bytes has died
		heaptest.Row{Class: "[B@7", Objects: 3, Bytes: 72})
	e.Walk(heaptest.Walk{Start: 2e9, Last: true, Used: [abi.HeapSpaces]uint64{abi.HeapSurvivor: 1_048_744}})

	site := &profile.Site{Method: "seven"}
	h := NewHistory(e.All()).BySites(func(tag uint32) profile.Made {
		if tag == 7 {
			return profile.Made{Site: site}
		}
		return profile.Made{}
	})
	got := map[string]DiffAmounts{}
	for _, r := range h.Diff(Start, 1, Query{By: []By{BySite}}).Rows {
		if h.Site(r.Class) == site {
			got[h.Name(r.Class)] = r.DiffAmounts
		}
	}
	want := map[string]DiffAmounts{
		"int[]":  {After: Amount{3, 48 + 1_048_592}, Born: Amount{4, 72 + 1_048_592}},
		"long[]": {After: Amount{2, 32}, Born: Amount{2, 50_016}},
		"byte[]": {After: Amount{3, 72}, Born: Amount{3, 72}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, v := range h.Check(17).Violations {
		t.Error(v.What)
	}
}
