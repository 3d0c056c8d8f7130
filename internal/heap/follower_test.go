package heap

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// TestKeyframes: behind a keyframe, wherever it was taken, each pause has left what a replay of all events says, by
// class, loader, site and place, and nothing more is missing.
func TestKeyframes(t *testing.T) {
	lost := heaptest.Random(rand.New(rand.NewPCG(3, 4)), 20)
	lost.Skip()
	lost.Born(heaptest.Row{Class: "demo/Late", Objects: 3, Bytes: 48})
	lost.Walk(heaptest.Walk{Collection: 21, Start: 21e9, Missed: 2})
	lost.Finish(21.1e9, abi.HeapYoung)
	for name, events := range map[string]*heaptest.Events{
		"demo": heaptest.Demo(), "leak": heaptest.Leak(), "odd": heaptest.Odd(), "lost": lost,
		"large": heaptest.Large(12, 300, 40), "random": heaptest.Random(rand.New(rand.NewPCG(1, 2)), 40),
		"again": renumbered(7).Random(rand.New(rand.NewPCG(5, 6)), 40),
	} {
		t.Run(name, func(t *testing.T) {
			all := oneByOne(events.All())
			want, f := NewHistory(events.All()), NewFollower(false)
			for i, e := range all {
				f.Take(e.kind, e.data)
				if i%7 != 0 && i < len(all)-40 {
					continue
				}
				r := NewReading(true)
				r.Add(&trace.Events{Observer: Observer, Headers: make([]trace.EventHeader, 1)}) // is in the keyframe
				for part := range f.Keyframe() {
					r.Add(part)
				}
				for _, e := range all[i+1:] {
					r.Add(e.record())
				}
				compareHistories(t, fmt.Sprintf("behind event %d", i), want, r.History())
			}
		})
	}
}

// event is one by itself.
type event struct {
	kind uint16
	data []byte
}

func oneByOne(records []*trace.Events) (all []event) {
	for _, r := range records {
		for kind, data := range r.All() {
			all = append(all, event{kind, data})
		}
	}
	return all
}

func (e event) record() *trace.Events {
	return &trace.Events{Observer: Observer, Headers: []trace.EventHeader{{Kind: e.kind, Bytes: uint32(len(e.data))}},
		Data: e.data}
}

// compareHistories holds all that is known of a later one against what the first one has.
func compareHistories(t *testing.T, what string, want, got *History) {
	t.Helper()
	skip := len(want.Pauses) - len(got.Pauses)
	if skip < 0 {
		t.Fatalf("%s: %d pauses, %d in all", what, len(got.Pauses), len(want.Pauses))
	}
	if diff := cmp.Diff(want.Pauses[skip:], got.Pauses, cmp.AllowUnexported(Walk{})); diff != "" {
		t.Fatalf("%s: -want +got\n%s", what, diff)
	}
	sites := map[uint32]*profile.Site{}
	sited := func(tag uint32) profile.Made {
		if sites[tag] == nil {
			sites[tag] = &profile.Site{Line: int32(tag)}
		}
		return profile.Made{Site: sites[tag]}
	}
	for _, histories := range [][2]*History{{want, got}, {want.BySites(sited), got.BySites(sited)}} {
		want, got := histories[0], histories[1]
		for i := range got.Pauses {
			compareHeld(t, what, want, skip+i, got, i)
		}
	}
}

// compareHeld holds what was in a heap against what was in the same one, each at the index of a pause.
func compareHeld(t *testing.T, what string, want *History, i int, got *History, k int) {
	t.Helper()
	if diff := cmp.Diff(heldByName(want, i), heldByName(got, k)); diff != "" {
		t.Fatalf("%s, pause %d: -want +got\n%s", what, i, diff)
	}
}

// heldByName has the rows of an answer by names.
func heldByName(h *History, moment int) map[string]Amount {
	rows := map[string]Amount{}
	answer := h.Held(moment, Query{By: []By{ByClass, BySpace, ByAge}})
	for _, r := range answer.Rows {
		name := fmt.Sprint(h.Title(r.Class), " ", r.Space, " ", r.Age)
		if site := h.Site(r.Class); site != nil {
			name += fmt.Sprint(" made in line ", site.Line)
		}
		rows[name] = r.Amount
	}
	rows["all"], rows["unused"] = answer.Total, Amount{Bytes: answer.Unused}
	return rows
}
