package heap

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
)

// objects prints the single objects of a moment.
func objects(t *testing.T, h *History, moment int) (lines []string) {
	t.Helper()
	answer, err := h.Objects(moment, Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range answer.Rows {
		lines = append(lines, fmt.Sprintf("%d %s %#x %s, born %d, moved %d, promoted %d", o.Order,
			h.Name(Class(o.Class)), o.Address, Space(o.Space), o.Born, o.Moves, o.Promoted))
	}
	return lines
}

// TestSingles follows objects through young, mixed and full collections.
func TestSingles(t *testing.T) {
	h := NewHistory(heaptest.Singly().All())
	want := [][]string{
		{
			"3 demo.Entry 0x4000 survivor, born 0, moved 1, promoted -1",
			"2 demo.Entry 0x8000 old, born 0, moved 1, promoted 0",
			"1 demo.Entry 0x8020 old, born 0, moved 1, promoted 0",
			"4 demo.Entry 0x8040 old, born 0, moved 1, promoted 0",
			"5 demo.Lock 0x4020 survivor, born -1, moved 0, promoted -1",
		}, {
			"1 demo.Entry 0x9000 old, born 0, moved 2, promoted 0",
			"4 demo.Entry 0x9020 old, born 0, moved 2, promoted 0",
			"3 demo.Entry 0x9040 old, born 0, moved 2, promoted 1",
		}, {
			"4 demo.Entry 0xa000 old, born 0, moved 3, promoted 0",
		}, {
			"4 demo.Entry 0xa000 old, born 0, moved 3, promoted 0",
			"6 demo.Name 0x2000 eden, born 3, moved 0, promoted -1",
			"7 demo.Name 0x2018 eden, born 3, moved 0, promoted -1",
		},
	}
	for i := range h.Pauses {
		if diff := cmp.Diff(want[i], objects(t, h, i)); diff != "" {
			t.Errorf("pause %d: -want +got\n%s", i, diff)
		}
	}
	for _, v := range h.Check(25).Violations {
		t.Errorf("pause %d: %s", v.Pause, v.What)
	}
	answer, err := h.Premature(Query{By: []By{ByClass}})
	if err != nil {
		t.Fatal(err)
	}
	// 2 died when region 3 was freed, 3 in the full collection; 1 had come through a look by then
	entries := PrematureRow{Class: answer.Rows[0].Class, Promoted: Amount{4, 128}, Looked: Amount{4, 128},
		Died: Amount{2, 64}}
	if diff := cmp.Diff([]PrematureRow{entries}, answer.Rows); diff != "" {
		t.Errorf("premature: -want +got\n%s", diff)
	}
}

// TestSinglesInDoubt: two objects with one hash, objects that were not told, events that do not add up.
func TestSinglesInDoubt(t *testing.T) {
	eden := heaptest.Place{Space: abi.HeapEden}
	survivor := heaptest.Place{Space: abi.HeapSurvivor, Origin: abi.HeapMoved, Age: 1}
	a := func(order uint32) heaptest.Single { return heaptest.Single{Class: "A", Words: 2, Order: order} }
	b := func(order uint32) heaptest.Single { return heaptest.Single{Class: "B", Words: 3, Order: order} }
	for _, test := range []struct {
		name     string
		second   func(e *heaptest.Events)
		want     []string
		violated int
	}{
		{"alive", func(e *heaptest.Events) { e.Singles(survivor, 0x4000, 3, a(1)); e.EndSingles(0) },
			[]string{"1 A 0x4000 survivor, born 0, moved 1, promoted -1"}, 0},
		{"one hash", func(e *heaptest.Events) { e.Singles(survivor, 0x4000, 3, b(2), a(2)); e.EndSingles(0) },
			[]string{"0 B 0x4000 survivor, born -1, moved 0, promoted -1",
				"0 A 0x4018 survivor, born -1, moved 0, promoted -1"}, 0},
		{"left out", func(e *heaptest.Events) { e.Singles(survivor, 0x4000, 3, a(1)); e.EndSingles(1) },
			[]string{"1 A 0x4000 survivor, born 0, moved 1, promoted -1"}, 0},
		{"another class", func(e *heaptest.Events) { e.Singles(survivor, 0x4000, 3, b(1)); e.EndSingles(0) },
			[]string{"1 B 0x4000 survivor, born 0, moved 1, promoted -1"}, 1},
		{"one in two places", func(e *heaptest.Events) { e.Singles(survivor, 0x4000, 3, a(1), a(1)); e.EndSingles(0) },
			[]string{"0 A 0x4000 survivor, born 0, moved 1, promoted -1",
				"0 A 0x4010 survivor, born -1, moved 0, promoted -1"}, 0},
		{"no end", func(e *heaptest.Events) { e.Singles(survivor, 0x4000, 3, a(1)) },
			[]string{"1 A 0x4000 survivor, born 0, moved 1, promoted -1"}, 1},
		{"damage", func(e *heaptest.Events) { e.Add(abi.EventHeapSingles, []byte{1, 0, 0, 0}); e.EndSingles(0) },
			nil, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := &heaptest.Events{}
			e.Singles(eden, 0x1000, 0, a(1), b(2), a(3), a(2))
			e.EndSingles(0)
			e.Walk(ends{Used: [4]uint64{72}})
			e.Finish(2, abi.HeapYoung)
			test.second(e)
			e.Walk(ends{Last: true})
			h := NewHistory(e.All())
			if diff := cmp.Diff(test.want, objects(t, h, 0)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			violated := 0
			for _, v := range h.Check(25).Violations {
				if v.What[:4] != "surv" { // what is used there
					t.Logf("pause %d: %s", v.Pause, v.What)
					violated++
				}
			}
			if violated != test.violated {
				t.Errorf("%d violations, want %d", violated, test.violated)
			}
		})
	}
	if _, err := NewHistory(heaptest.Demo().All()).Objects(0, Query{}); !errors.Is(err, ErrNoSingles) {
		t.Error(err)
	}
}

// TestLeftOut: an object that was left out is not taken for another one with its hash, and that walks after it do not
// add up is no violation.
func TestLeftOut(t *testing.T) {
	e := &heaptest.Events{}
	eden := heaptest.Place{Space: abi.HeapEden}
	survivor := heaptest.Place{Space: abi.HeapSurvivor, Origin: abi.HeapMoved, Age: 1}
	e.Singles(eden, 0x1000, 0, heaptest.Single{Class: "A", Words: 2, Order: 1},
		heaptest.Single{Class: "A", Words: 2, Order: 2})
	e.Rows(eden, heaptest.Row{Class: "B", Objects: 3, Bytes: 48})
	e.EndSingles(3)
	e.Walk(ends{Used: [4]uint64{80}})
	e.Finish(2, abi.HeapYoung)
	e.Singles(survivor, 0x4000, 5, heaptest.Single{Class: "B", Words: 2, Order: 1},
		heaptest.Single{Class: "A", Words: 2, Order: 2})
	e.EndSingles(0)
	e.Walk(ends{Used: [4]uint64{0, 32}, Last: true})
	h := NewHistory(e.All())
	want := []string{"0 B 0x4000 survivor, born -1, moved 0, promoted -1",
		"2 A 0x4010 survivor, born 0, moved 1, promoted -1"}
	if diff := cmp.Diff(want, objects(t, h, 0)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, v := range h.Check(25).Violations {
		t.Errorf("pause %d: %s", v.Pause, v.What)
	}
}

// TestPrematureBounds: what has no number until it is old may have been promoted, and in vain; where walks have left
// objects out there is no upper bound.
func TestPrematureBounds(t *testing.T) {
	e := &heaptest.Events{}
	old := heaptest.Place{Space: abi.HeapOld, Origin: abi.HeapMoved}
	lock := func(order uint32) heaptest.Single { return heaptest.Single{Class: "Lock", Words: 2, Order: order} }
	e.Singles(heaptest.Place{Space: abi.HeapEden}, 0x1000, 0, lock(1), lock(0), lock(0), lock(0))
	e.EndSingles(0)
	e.Walk(ends{Used: [4]uint64{64}})
	e.Finish(2, abi.HeapYoung)
	e.Singles(old, 0x4000, 1, lock(1), lock(2), lock(3))
	e.EndSingles(0)
	e.Walk(ends{Used: [4]uint64{0, 0, 48}})
	e.Finish(3, abi.HeapEverything)
	e.Singles(old, 0x4000, 3, lock(3)) // of the first nobody doubts that it was in vain, of the second somebody does
	e.EndSingles(0)
	e.Walk(ends{Used: [4]uint64{0, 0, 16}, Last: true})
	answer, err := NewHistory(e.All()).Premature(Query{By: []By{ByClass}})
	if err != nil {
		t.Fatal(err)
	}
	got := []Amount{answer.Promoted, answer.Looked, answer.Died, answer.Found, answer.Perhaps}
	if diff := cmp.Diff([]Amount{{1, 16}, {1, 16}, {1, 16}, {2, 32}, {1, 16}}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	answer, err = NewHistory(heaptest.Doubtful().All()).Premature(Query{By: []By{ByClass}})
	if err != nil || answer.Gaps.LeftOut != 2 {
		t.Errorf("%+v, %v", answer.Gaps, err)
	}
}

// TestSinglesOnce: an answer is the same where events are let go meanwhile, and there is no other one.
func TestSinglesOnce(t *testing.T) {
	events := new(heaptest.Events).RandomSingles(rand.New(rand.NewPCG(1, 2)), 30).All()
	h, once := NewHistory(events), NewHistory(events)
	once.SinglesOnce()
	if diff := cmp.Diff(h.Check(25), once.Check(25)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	left := func(h *History) bool {
		return slices.ContainsFunc(h.events.singles, func(e placedEvents) bool { return e.packed != nil })
	}
	if !left(h) || left(once) {
		t.Error("events are there, or others are not")
	}
	defer func() {
		if recover() == nil {
			t.Error("there is another answer")
		}
	}()
	once.Check(25)
}
