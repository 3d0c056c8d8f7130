package heap

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
)

// renumbered makes events that have numbers of classes given again, whether there are objects or not.
func renumbered(seed uint64) *heaptest.Events {
	random := rand.New(rand.NewPCG(seed, 1))
	return &heaptest.Events{GivesUp: func(string) bool { return random.IntN(3) == 0 }}
}

// TestNumbersAgain: where numbers are given again answers are those that they are where each class keeps its own.
func TestNumbersAgain(t *testing.T) {
	for seed := range uint64(20) {
		own := func() *rand.Rand { return rand.New(rand.NewPCG(seed, 2)) }
		again := renumbered(seed).Random(own(), 30)
		want, got := NewHistory(heaptest.Random(own(), 30).All()), NewHistory(again.All())
		compareHistories(t, fmt.Sprintf("seed %d", seed), want, got)
		if diff := cmp.Diff(lifetimesByName(want), lifetimesByName(got)); diff != "" || got.Damaged != 0 {
			t.Errorf("seed %d: %d damaged, -want +got\n%s", seed, got.Damaged, diff)
		}
		if n := countEvents(again, abi.EventHeapGone); n < 10 {
			t.Errorf("seed %d: numbers were given again %d times", seed, n)
		}
	}
}

func lifetimesByName(h *History) map[string]string {
	lives := map[string]string{}
	for _, row := range h.Lifetimes(Query{By: []By{ByClass}}).Rows {
		lives[h.Title(row.Class)] = fmt.Sprintf("%+v", row.Lifetime)
	}
	return lives
}

func countEvents(e *heaptest.Events, of uint16) (n int) {
	for _, record := range e.All() {
		for kind := range record.All() {
			if kind == of {
				n++
			}
		}
	}
	return n
}

// TestSinglesNumberedAgain: single objects are of the classes that have their numbers when they are seen.
func TestSinglesNumberedAgain(t *testing.T) {
	all := &heaptest.Events{GivesUp: func(string) bool { return true }}
	want, got := NewHistory(heaptest.Singly().All()), NewHistory(all.Singly().All())
	for i := range want.Pauses {
		held := [2][]string{}
		for k, h := range []*History{want, got} {
			answer, err := h.Objects(i, Query{By: []By{ByClass}})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range answer.Rows {
				held[k] = append(held[k], fmt.Sprintf("%s %x", h.Title(Class(o.Class)), o.Address))
			}
		}
		if diff := cmp.Diff(held[0], held[1]); diff != "" || len(held[0]) == 0 {
			t.Errorf("pause %d: -want +got\n%s", i, diff)
		}
	}
}

// TestGoneDamaged: what is no list of numbers changes nothing, nor do numbers that no class has.
func TestGoneDamaged(t *testing.T) {
	var e heaptest.Events
	row := heaptest.Row{Class: "demo/Plugin", Objects: 1, Bytes: 16}
	e.Born(row)
	for _, data := range [][]byte{{2, 0, 0}, {2, 0, 0, 0, 1}, {0, 0, 0, 0, 1, 0, 0, 0, 77, 0, 0, 0}} {
		e.Add(abi.EventHeapGone, data)
	}
	e.Born(row, heaptest.Row{Class: "demo/Other", Objects: 1, Bytes: 16})
	e.Walk(heaptest.Walk{Last: true})
	h, f := NewHistory(e.All()), NewFollower(false)
	for _, event := range oneByOne(e.All()) {
		f.Take(event.kind, event.data)
	}
	r := NewReading(true)
	for part := range f.Keyframe() {
		r.Add(part)
	}
	want := map[string]Amount{"demo.Plugin eden 0": {Objects: 2, Bytes: 32}, "unused": {},
		"demo.Other eden 0": {Objects: 1, Bytes: 16}, "all": {Objects: 3, Bytes: 48}}
	for _, h := range []*History{h, r.History()} {
		if diff := cmp.Diff(want, heldByName(h, 0)); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	if h.Damaged != 2 {
		t.Errorf("%d damaged", h.Damaged)
	}
}

// TestFollowerForgets: of loaders that come and go, each with a class and a site of its own, a Follower keeps what is
// held, however many there were, and so do its keyframes.
func TestFollowerForgets(t *testing.T) {
	const each = 3 // definitions of a loader
	kept := func(loaders int) (definitions, numbers, bytes int) {
		f := NewFollower(false)
		e := &heaptest.Events{}
		for i := range loaders {
			of := fmt.Sprintf("demo/Plugin#%d", i)
			sited := fmt.Sprintf("%s@%d", of, 100+i)
			e.Born(heaptest.Row{Class: of, Objects: 1, Bytes: 16}, heaptest.Row{Class: sited, Objects: 2, Bytes: 32},
				heaptest.Row{Class: fmt.Sprintf("[B@%d", 100+i), Objects: 1, Bytes: 24})
			e.Walk(heaptest.Walk{Collection: uint64(i), Start: uint64(i) * 1e9})
			e.Finish(uint64(i)*1e9+1e6, abi.HeapYoung)
			e.Gone(sited, fmt.Sprintf("[B@%d", 100+i), of)
		}
		for _, event := range oneByOne(e.All()) {
			f.Take(event.kind, event.data)
		}
		definitions, numbers = len(f.defined.list), len(f.replayer.numbers.classes)
		for part := range f.Keyframe() {
			bytes += len(part.Data)
		}
		return definitions, numbers, bytes
	}
	for _, loaders := range []int{2000, 4000} {
		definitions, numbers, bytes := kept(loaders)
		if definitions > 2*fewGone || numbers > 2*each || bytes > 1000 {
			t.Errorf("of %d loaders: %d definitions, %d numbers, %d bytes of a keyframe", loaders, definitions, numbers,
				bytes)
		}
	}
}
