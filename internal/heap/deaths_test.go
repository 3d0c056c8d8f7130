package heap

import (
	"math/rand/v2"
	"strings"
	"testing"

	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

// bySites tells sites apart by tags alone.
func bySites(e *heaptest.Events) (*History, Query) {
	sites := map[uint32]*profile.Site{}
	h := NewHistory(e.All()).BySites(func(tag uint32) profile.Made {
		if sites[tag] == nil {
			sites[tag] = &profile.Site{Line: int32(tag)}
		}
		return profile.Made{Site: sites[tag], Context: profile.NoContext}
	})
	return h, Query{By: []By{BySite}, Counts: NewTags(h, nil)}
}

// died is what a random program says that died behind one moment and up to another one.
func died(e *heaptest.Events, from, to int, pattern string) (d Deaths) {
	for _, classes := range e.Died[from+1 : to+1] {
		for class, r := range classes {
			name, _, _ := strings.Cut(strings.ReplaceAll(class, "/", "."), "#")
			if !profile.MatchName(pattern, name) {
				continue
			}
			a := Amount{int64(r.Objects), int64(r.Bytes)}
			d.All = d.All.plus(a)
			if strings.Contains(class, "@") {
				d.Sited = d.Sited.plus(a)
			}
		}
	}
	return d
}

// TestDeaths: how many of those that died have a site, and how many bytes, is what the program says, in each span.
func TestDeaths(t *testing.T) {
	for seed := range uint64(3) {
		e := heaptest.Random(rand.New(rand.NewPCG(seed, 3)), 30)
		h, q := bySites(e)
		last := len(h.Pauses) - 1
		for from := Start; from < last; from++ {
			for to := from + 1; to <= last; to++ {
				want := died(e, from, min(to, last-1), "") // the recording ends in the last pause
				diff := h.Diff(from, to, q)
				if *diff.Deaths != want {
					t.Fatalf("seed %d, %d to %d: %+v, want %+v", seed, from, to, *diff.Deaths, want)
				}
				if from > Start {
					continue
				}
				if held := h.Held(to, q); *held.Deaths != want {
					t.Fatalf("seed %d, up to %d: %+v, want %+v", seed, to, *held.Deaths, want)
				}
			}
		}
		if want := died(e, Start, last-1, ""); want.Sited.Objects == 0 || want.Sited.Objects == want.All.Objects {
			t.Errorf("seed %d: %+v", seed, want)
		}
		some := q
		some.Class = "demo.Class1"
		want := died(e, Start, last-1, some.Class)
		if got := [2]Deaths{*h.Lifetimes(some).Deaths, *h.Churn(some).Deaths}; got != [2]Deaths{want, want} {
			t.Errorf("seed %d: %+v, want %+v", seed, got, want)
		}
		q.Counts = nil
		if h.Lifetimes(q).Deaths != nil {
			t.Error("without sites some died with one")
		}
	}
}

// TestDeathsOfLateSites: of what has no site when it is seen first no more is said to have one at its death than has,
// and no fewer than had it from birth on; all that died is known.
func TestDeathsOfLateSites(t *testing.T) {
	for seed := range uint64(5) {
		e := new(heaptest.Events).RandomSingles(rand.New(rand.NewPCG(seed, 4)), 60)
		h, q := bySites(e)
		last := len(h.Pauses) - 1
		want, got := died(e, Start, last-1, ""), h.Diff(Start, last, q).Deaths
		ages, err := h.Ages(q)
		if err != nil {
			t.Fatal(err)
		}
		if got.All != want.All || got.Sited.Objects > want.Sited.Objects ||
			10*got.Sited.Objects < 9*want.Sited.Objects || *ages.Deaths != *got {
			t.Errorf("seed %d: %+v, want %+v at most; %+v", seed, *got, want, *ages.Deaths)
		}
	}
}
