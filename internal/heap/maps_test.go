package heap

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

// TestMaps holds maps against what Held and Regions have of each moment, also where there is no room for all.
func TestMaps(t *testing.T) {
	for seed := range uint64(6) {
		h := NewHistory(heaptest.Random(rand.New(rand.NewPCG(seed, 1)), 61).All())
		if seed == 0 {
			demo := NewHistory(heaptest.Demo().All())
			checkMaps(t, demo, &MapQuery{Moments: []int{0, 1, 3, 4}, Regions: true})
		}
		var classes []Class
		for class := range h.classes.names {
			if Class(class) != Unused && class%3 != 0 {
				classes = append(classes, Class(class))
			}
		}
		q := MapQuery{Query: Query{Sort: profile.SortBytes}, Chosen: 8, Classes: classes, Regions: true}
		if seed%2 == 1 {
			q.Class = "*1*"
		}
		for i := range h.Pauses {
			q.Moments = append(q.Moments, i)
		}
		all := checkMaps(t, h, &q)
		if all.Every != 1 || len(all.Maps) != len(q.Moments) {
			t.Errorf("%d maps, one in %d", len(all.Maps), all.Every)
		}
		q.Words = 1500
		some := checkMaps(t, h, &q)
		moments, words, named := []int{}, 0, map[Class]bool{}
		for i := range some.Maps {
			moments = append(moments, some.Maps[i].Moment)
			words += some.Maps[i].words(named)
		}
		if some.Every < 2 || words > q.Words || !slices.Contains(moments, q.Chosen) ||
			moments[len(moments)-1] != len(h.Pauses)-1 || len(moments) < 3 {
			t.Errorf("one in %d, of %d words: %v", some.Every, words, moments)
		}
	}
}

// checkMaps draws all maps by their changes.
func checkMaps(t *testing.T, h *History, q *MapQuery) *Maps {
	t.Helper()
	list := h.Maps(*q)
	d := newDrawing()
	for k := range list.Maps {
		one := &list.Maps[k]
		d.take(one)
		held := q.Query
		held.By = []By{ByClass, BySpace}
		want := newDrawing()
		sums, unused := [Spaces]Amount{}, [Spaces]int64{}
		for _, r := range h.Held(one.Moment, held).Rows {
			switch {
			case r.Class == Unused:
				unused[r.Space] += r.Bytes
				continue
			case slices.Contains(q.Classes, r.Class):
				want.classes[classAt{r.Space, r.Class}] = r.Amount
			}
			sums[r.Space] = sums[r.Space].plus(r.Amount)
		}
		for _, r := range h.Regions(one.Moment) {
			want.regions[regionAt{r.Space, r.Number}] = r
		}
		if !maps.Equal(want.classes, d.classes) || !maps.Equal(want.regions, d.regions) || sums != one.Sums ||
			unused != one.Unused {
			t.Fatalf("after pause %d: %v %v %v, want %v %v %v", one.Moment, d, one.Sums, one.Unused, want, sums, unused)
		}
	}
	return list
}

// TestMapBounds: of classes in a space, and of regions, those are drawn in which there is most; what is not drawn any
// more is said.
func TestMapBounds(t *testing.T) {
	e := &heaptest.Events{}
	for i := range uint64(MostInSpace + 2) {
		e.Born(of(fmt.Sprint("C", 10+i), 1, 160+16*i))
	}
	for i := range uint64(MostRegions + 3) {
		e.Rows(inOld(uint32(i)), of("Old", 1, 16*(i+1)))
	}
	e.Walk(ends{Start: 1})
	e.Finish(2, abi.HeapNothing)
	e.Rows(heaptest.Place{Space: abi.HeapOld, Region: 2}, of("Old", 1, 160000))
	e.Walk(ends{Start: 3, Collection: 1})
	e.Finish(4, abi.HeapNothing, MostRegions+2)
	e.Born(of("C10", 1, 1600), of("C11", 1, 800))
	e.Walk(ends{Start: 5, Last: true})
	h := NewHistory(e.All())
	q := MapQuery{Query: Query{Sort: profile.SortBytes}, Moments: []int{0, 1, 2}, Regions: true}
	for class, name := range h.classes.names {
		if name[0] == 'C' {
			q.Classes = append(q.Classes, Class(class))
		}
	}
	var got []string
	for _, m := range h.Maps(q).Maps {
		classes, regions := "", ""
		if len(m.Regions) == MostRegions {
			m.Regions = m.Regions[:1]
		}
		if len(m.Classes) == MostInSpace {
			m.Classes = m.Classes[:1]
		}
		for _, c := range m.Classes {
			classes += fmt.Sprintf(" %s %d", h.Name(c.Class), c.Bytes)
		}
		for _, r := range m.Regions {
			regions += fmt.Sprintf(" %d: %d", r.Number, r.Held.Bytes)
		}
		got = append(got, fmt.Sprintf("%d left out;%s;%s", m.Left, classes, regions))
	}
	want := []string{
		"3 left out; C12 192; 3: 64",
		"2 left out;; 2: 160048 2050: 0",
		"2 left out; C10 1760 C11 976 C12 0 C13 0;",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
