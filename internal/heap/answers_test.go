package heap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

// TestLifetimes has objects that live for known numbers of collections.
func TestLifetimes(t *testing.T) {
	var e heaptest.Events
	e.Born(of("Soon", 100, 1600), of("Later", 100, 1600), of("Old", 10, 160), of("Both", 10, 160))
	e.Rows(spot{Space: abi.HeapHumongous, Region: 9}, of("[B", 1, 8000))
	e.Walk(ends{})
	e.Finish(1, abi.HeapYoung)
	e.Moved(1, of("Later", 100, 1600), of("Soon", 1, 16), of("Old", 10, 160), of("Both", 6, 96))
	e.Walk(ends{Collection: 1})
	e.Finish(2, abi.HeapYoung, 9) // [B has come through one
	e.Moved(2, of("Later", 60, 960), of("Soon", 1, 16))
	e.Moved(0, of("Old", 10, 160), of("Both", 2, 32))
	e.Born(of("Both", 10, 160))
	e.Walk(ends{Collection: 2})
	e.Finish(3, abi.HeapEverything)
	e.Moved(0, of("Old", 10, 160), of("Both", 3, 48), of("Later", 20, 320))
	e.Born(of("Unmet", 5, 80))
	e.Rows(spot{Space: abi.HeapHumongous, Region: 10}, of("[C", 1, 8000))
	e.Walk(ends{Last: true})
	h := NewHistory(e.All())
	var got []string
	answer := h.Lifetimes(Query{By: []By{ByClass}, Sort: profile.SortObjects})
	for _, r := range answer.Rows {
		got = append(got, fmt.Sprintf("%s %d, %d soon, %s %s", h.Name(r.Class), r.Met.Objects, r.Soon.Objects,
			r.Quantile(0.5), r.Quantile(0.9)))
	}
	want := []string{
		"Later 100, 0 soon, 2 >=3", // 40 after 1, 40 after 2
		"Soon 100, 99 soon, 0 0",
		"Both 20, 13 soon, 0 >=1", // 4 at first, 4 after one, 2 promoted; then 9 of 10, as one of the 3 is new
		"Old 10, 0 soon, >=2 >=2",
		"byte[] 1, 0 soon, 1 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	churn := h.Churn(Query{By: []By{ByClass}, Sort: profile.SortBytes, Top: 1})
	if len(churn.Rows) != 1 || h.Name(churn.Rows[0].Class) != "Soon" || churn.DiedSoon.Objects != 112 {
		t.Errorf("churn: %+v", churn)
	}
}

// TestCost: who filled eden since the last collection bears what a young one takes; a full one, and one that collects
// nothing, have other reasons.
func TestCost(t *testing.T) {
	var e heaptest.Events
	pause := func(number, start, finish, collected uint64) {
		e.Walk(ends{Collection: number, Start: start})
		e.Finish(finish, collected)
	}
	e.Born(of("A", 10, 304), of("B", 10, 96))
	e.Rows(spot{Space: abi.HeapHumongous, Region: 9}, of("[B", 1, 8000))
	pause(0, 1000, 5000, abi.HeapYoung) // A 3040, B 960
	e.Born(of("A", 1, 96))
	pause(1, 10000, 12000, abi.HeapNothing)
	e.Born(of("B", 1, 96))
	pause(2, 20000, 24000, abi.HeapYoung) // 2000 each
	e.Born(of("B", 1, 96))
	pause(3, 30000, 40000, abi.HeapEverything)
	e.Born(of("A", 1, 96))
	pause(4, 50000, 51000, abi.HeapYoung) // A alone
	e.Walk(ends{Last: true, Start: 60000})
	h := NewHistory(e.All())
	answer := h.Churn(Query{By: []By{ByClass}, Sort: profile.SortBytes})
	var got []string
	for _, r := range answer.Rows {
		got = append(got, fmt.Sprintf("%s %d", h.Name(r.Class), r.Cost.Nanoseconds()))
	}
	slices.Sort(got)
	want := []string{"A 6040", "B 2960", "byte[] 0"}
	if diff := cmp.Diff(want, got); diff != "" || answer.Cost.Nanoseconds() != 9000 {
		t.Errorf("%v in all; -want +got\n%s", answer.Cost, diff)
	}
}

// TestChurnSingly: where a collection promotes some of those that are new, and finds older ones dead, sums take the new
// ones for dead. Single objects know better, but where walks have left some out.
func TestChurnSingly(t *testing.T) {
	for leftOut, want := range map[uint64]string{0: "A 4, 1 soon, cost 133; 5 met, 1 soon; true",
		1: "A 4, 2 soon, cost 133; 5 met, 2 soon; false"} {
		e := &heaptest.Events{}
		eden := heaptest.Place{Space: abi.HeapEden}
		a := func(order uint32) heaptest.Single { return heaptest.Single{Class: "A", Words: 2, Order: order} }
		b := func(order uint32) heaptest.Single { return heaptest.Single{Class: "B", Words: 20, Order: order} }
		e.Singles(eden, 0x1000, 0, a(1), a(2))
		e.EndSingles(0)
		e.Walk(ends{Start: 1000, Used: [4]uint64{32}})
		e.Finish(1100, abi.HeapYoung)
		e.Singles(heaptest.Place{Space: abi.HeapSurvivor, Origin: abi.HeapMoved, Age: 1}, 0x4000, 2, a(1))
		e.Singles(eden, 0x1000, 2, a(3), a(4), b(5))
		e.EndSingles(0)
		e.Walk(ends{Collection: 1, Start: 2000, Used: [4]uint64{32, 16}})
		e.Finish(2200, abi.HeapYoung)
		e.Singles(heaptest.Place{Space: abi.HeapOld, Origin: abi.HeapMoved}, 0x8000, 5, a(3), a(4), b(5))
		e.EndSingles(leftOut)
		e.Walk(ends{Start: 3000, Used: [4]uint64{0, 0, 32}, Last: true})
		h := NewHistory(e.All())
		churn := h.Churn(Query{By: []By{ByClass}, Sort: profile.SortBytes, Top: 1})
		r := churn.Rows[0]
		got := fmt.Sprintf("%s %d, %d soon, cost %d; %d met, %d soon; %v", h.Name(r.Class), r.Met.Objects,
			r.Soon.Objects, r.Cost, churn.Met.Objects, churn.DiedSoon.Objects, churn.Singly)
		if got != want || len(churn.Rows) != 1 || churn.Count != 2 {
			t.Errorf("%d left out: %s, want %s; %d rows of %d", leftOut, got, want, len(churn.Rows), churn.Count)
		}
	}
}

// TestMovedHumongous: a humongous object that a full collection moves to other regions lives on; of two of a class it
// is the older one.
func TestMovedHumongous(t *testing.T) {
	var e heaptest.Events
	humongous := func(origin, region uint32, rows ...heaptest.Row) {
		e.Rows(spot{Space: abi.HeapHumongous, Origin: origin, Region: region}, rows...)
	}
	humongous(abi.HeapBorn, 1, of("[B", 1, 8000))
	e.Walk(ends{})
	e.Finish(1, abi.HeapYoung)
	humongous(abi.HeapBorn, 2, of("[B", 1, 8000))
	e.Walk(ends{Collection: 1})
	e.Finish(2, abi.HeapEverything, 1, 2)
	humongous(abi.HeapMoved, 3, of("[B", 1, 8000))
	e.Walk(ends{Collection: 2})
	e.Finish(3, abi.HeapYoung, 3)
	e.Walk(ends{Last: true})
	answer := NewHistory(e.All()).Lifetimes(Query{By: []By{ByClass}})
	if len(answer.Rows) != 1 || answer.Rows[0].Met.Objects != 2 || answer.Rows[0].Soon.Objects != 1 ||
		answer.Rows[0].Quantile(0.9) != (Age{2, false}) {
		t.Errorf("%+v", answer.Rows)
	}
}

// TestGrowth has classes that grow by the second, stay, and go up and down.
func TestGrowth(t *testing.T) {
	var e heaptest.Events
	const collections = 50
	for i := range uint64(collections) {
		if i > 0 {
			e.Moved(0, of("Leak", 10*i, 160*i), of("Stays", 7, 112), of("Varies", 5+i%2, 16*(5+i%2)))
		}
		e.Born(of("Leak", 10, 160), of("Stays", 7, 112), of("Varies", 100, 1600))
		e.Walk(ends{Collection: i, Start: i * 1e9})
		e.Finish(i*1e9, abi.HeapEverything)
	}
	h := NewHistory(e.All())
	answer, err := h.Growth(Query{By: []By{ByClass}, Sort: profile.SortBytes})
	if err != nil {
		t.Fatal(err)
	}
	if !answer.Full || answer.Collections != collections-1 || len(answer.Rows) != 3 {
		t.Errorf("%+v", answer)
	}
	leak := answer.Rows[0]
	if h.Name(leak.Class) != "Leak" || math.Abs(leak.Slope-160) > 1e-6 || math.Abs(leak.Fit-1) > 1e-9 ||
		leak.Stayed() != 100 {
		t.Errorf("a leak of 160 bytes a second: %+v", leak)
	}
	for _, r := range answer.Rows[1:] {
		if name := h.Name(r.Class); math.Abs(r.Slope) > 0.1 || r.Fit > 0.1 || r.Fitted != (name == "Varies") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if _, err := NewHistory(new(heaptest.Events).All()).Growth(Query{}); err == nil {
		t.Error("a line through one collection")
	}
}

// TestCheck: what does not add up is found.
func TestCheck(t *testing.T) {
	for name, test := range map[string]struct {
		events *heaptest.Events
		want   []string
	}{
		"all is well": {heaptest.Demo(), nil},
		"used": {eventsOf(func(e *heaptest.Events) {
			e.Born(of("A", 1, 16))
			e.Walk(ends{Used: [4]uint64{100, 8}, Unused: 80})
		}), []string{"eden: 100 bytes used, of which 96 are accounted for",
			"survivor: 8 bytes used, of which 0 are accounted for"}},
		"unread": {eventsOf(func(e *heaptest.Events) {
			e.Walk(ends{Used: [4]uint64{100, 8}, Unread: 107})
		}), []string{"107 bytes were not read, but 108 are not accounted for"}},
		"wholes": {eventsOf(func(e *heaptest.Events) {
			e.Walk(ends{Regions: [3]uint64{7, 2}, Buffers: [2]uint64{5, 1}})
			e.Finish(1, abi.HeapNothing)
			e.Walk(ends{Used: [4]uint64{24}, Unread: 24, Regions: [3]uint64{7, 1, 24}, Buffers: [2]uint64{5}})
			e.Finish(2, abi.HeapNothing)
			e.Walk(ends{Used: [4]uint64{24}, Unread: 24, Regions: [3]uint64{7, 2, 32}})
		}), []string{"2 of 7 regions were not read byte for byte: 0 bytes more or less",
			"1 of 5 allocation buffers were not read byte for byte",
			"2 of 7 regions were not read byte for byte: 32 bytes more or less"}},
		"more after a collection": {eventsOf(func(e *heaptest.Events) {
			e.Born(of("A", 1, 16))
			e.Walk(ends{Used: [4]uint64{16}})
			e.Finish(1, abi.HeapYoung)
			e.Moved(1, of("A", 3, 48))
			e.Walk(ends{Used: [4]uint64{0, 48}, Missed: 4})
		}), []string{"4 events are missing", "A: 2 objects and 32 bytes more than before the collection"}},
		"damage": {eventsOf(func(e *heaptest.Events) {
			e.Add(abi.EventHeapRows, nil)
			e.Walk(ends{})
		}), []string{"1 damaged events were left out"}},
	} {
		var got []string
		for _, v := range NewHistory(test.events.All()).Check(25).Violations {
			got = append(got, v.What)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func eventsOf(make func(*heaptest.Events)) *heaptest.Events {
	e := &heaptest.Events{}
	make(e)
	return e
}

// TestCollections: what Lifetimes have is the same as a Spread, and so is a sum of two.
func TestCollections(t *testing.T) {
	for seed := range uint64(5) {
		h := NewHistory(heaptest.Random(rand.New(rand.NewPCG(seed, 2)), 80).All())
		var all Lifetime
		var sum Spread
		for _, r := range h.Lifetimes(Query{By: []By{ByClass}}).Rows {
			all.Add(&r.Lifetime)
			spread := r.Collections()
			sum.Add(&spread)
			checkCollections(t, &r.Lifetime, &spread)
		}
		checkCollections(t, &all, &sum)
	}
	old := Lifetime{}
	old.die(longest, Amount{5, 80})
	spread := old.Collections()
	checkCollections(t, &old, &spread)
}

func checkCollections(t *testing.T, l *Lifetime, s *Spread) {
	t.Helper()
	for share := 0.1; share <= 1; share += 0.1 {
		want := l.Quantile(share)
		if got, atLeast := s.Quantile(share); got != int64(want.Collections) || atLeast != want.AtLeast {
			t.Errorf("%v come through %d (at least: %v), want %v", share, got, atLeast, want)
		}
	}
}
