package heap

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
)

// stayedOf is what a random program says that stayed, by class, with its site or without.
func stayedOf(e *heaptest.Events, from, to int, bySite bool) map[string]Amount {
	sums := map[string]Amount{}
	for _, l := range e.Lives {
		was, is := l.At(from), l.At(to)
		if !bySite {
			was, _, _ = strings.Cut(was, "@")
			is, _, _ = strings.Cut(is, "@")
		}
		if was != "" && was == is {
			sums[is] = sums[is].plus(Amount{1, l.Bytes})
		}
	}
	return sums
}

// TestStayed: how much of each class was held at two moments is within the bounds that sums give, and, by site as well,
// within those that single objects give, which are less apart, and seldom apart at all.
func TestStayed(t *testing.T) {
	exact, rows, bySums := 0, 0, 0
	for seed := range uint64(4) {
		e := new(heaptest.Events).RandomSingles(rand.New(rand.NewPCG(seed, 6)), 12)
		for _, bySite := range []bool{false, true} {
			h, q := NewHistory(e.All()), Query{By: []By{ByClass}}
			if bySite {
				h, q = bySites(e)
			}
			key := func(r DiffRow) string {
				name := fmt.Sprintf("%s#%d", strings.ReplaceAll(h.Name(r.Class), ".", "/"), h.Loader(r.Class))
				if site := h.Site(r.Class); site != nil {
					name += fmt.Sprint("@", site.Line)
				}
				return name
			}
			last := len(h.Pauses) - 1
			for from := Start; from < last; from++ {
				for to := from + 1; to <= last; to++ {
					want := stayedOf(e, from, to, bySite)
					sums, singly := h.Diff(from, to, q), h.DiffSingly(from, to, q)
					least, most := singly.Stayed.Least, singly.Stayed.Most
					if !bySite && (!within(sums.Stayed, least) || !within(sums.Stayed, most)) {
						t.Errorf("single objects say %+v, sums %+v", singly.Stayed, sums.Stayed)
					}
					bySum := map[Class]Bounds{}
					for _, r := range sums.Rows {
						bySum[r.Class] = r.Stayed
					}
					for _, r := range singly.Rows {
						is := want[key(r)]
						if !within(r.Stayed, is) || !bySite && !within(bySum[r.Class], is) {
							t.Fatalf("seed %d, by site: %v, %d to %d: %s: %+v, of sums %+v, want %+v", seed, bySite,
								from, to, key(r), r.Stayed, bySum[r.Class], is)
						}
						if r.Before.Objects > 0 && r.After.Objects > 0 {
							rows++
							if r.Stayed.AreExact() {
								exact++
							}
							if bySum[r.Class].AreExact() {
								bySums++
							}
						}
					}
				}
			}
		}
	}
	t.Logf("of %d rows %d are exact, by sums %d", rows, exact, bySums)
	if 2*exact < rows || bySums == 0 || bySums == exact {
		t.Errorf("of %d rows %d are exact, by sums %d", rows, exact, bySums)
	}
}

func within(b Bounds, a Amount) bool {
	return b.Least.Objects <= a.Objects && a.Objects <= b.Most.Objects && b.Least.Bytes <= a.Bytes &&
		a.Bytes <= b.Most.Bytes
}

// TestStayedExactly: single objects tell which of a class those are that are held, where sums do not, also of one that
// had no number when it was born.
func TestStayedExactly(t *testing.T) {
	e := &heaptest.Events{}
	eden := heaptest.Place{Space: abi.HeapEden}
	survivor := heaptest.Place{Space: abi.HeapSurvivor, Origin: abi.HeapMoved, Age: 1}
	a := func(order uint32) heaptest.Single { return heaptest.Single{Class: "A", Words: 2, Order: order} }
	e.Singles(eden, 0x1000, 0, a(1), a(2), a(0), a(3))
	e.EndSingles(0)
	e.Walk(ends{Used: [4]uint64{64}})
	e.Finish(2, abi.HeapYoung)
	e.Singles(survivor, 0x4000, 3, a(1), a(2), a(4)) // 4 had none
	e.Singles(eden, 0x1000, 4, a(5), a(6))
	e.EndSingles(0)
	e.Walk(ends{Collection: 1, Used: [4]uint64{32, 48}})
	e.Finish(3, abi.HeapYoung)
	e.Singles(survivor, 0x5000, 6, a(2), a(4), a(6))
	e.EndSingles(0)
	e.Walk(ends{Used: [4]uint64{0, 48}, Last: true})
	h := NewHistory(e.All())
	q := Query{By: []By{ByClass}}
	sums, singly := h.Diff(0, 1, q), h.DiffSingly(0, 1, q)
	if got, want := sums.Stayed, (Bounds{Amount{1, 16}, Amount{3, 48}}); got != want || sums.Singly {
		t.Errorf("by sums %+v, want %+v", got, want)
	}
	if got, want := singly.Stayed, (Bounds{Amount{2, 32}, Amount{2, 32}}); got != want || !singly.Singly {
		t.Errorf("by single objects %+v, want %+v", got, want)
	}
	if again := h.DiffSingly(1, 2, q); again.Singly || again.Stayed != (Bounds{Amount{3, 48}, Amount{3, 48}}) {
		t.Errorf("where nothing was born or died, %+v", again.Stayed)
	}
}
