package heap

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

// TestLifetimesOfSpan has objects of a class be born before each of several collections, and live for a number that
// differs.
func TestLifetimesOfSpan(t *testing.T) {
	var e heaptest.Events
	e.Born(of("Point", 100, 1600)) // all dead at once
	e.Walk(ends{Start: 10})
	e.Finish(11, abi.HeapYoung)
	e.Born(of("Point", 50, 800)) // 20 come through one, 10 of them through two
	e.Walk(ends{Collection: 1, Start: 20})
	e.Finish(21, abi.HeapYoung)
	e.Moved(1, of("Point", 20, 320))
	e.Born(of("Point", 30, 480)) // all are there at the end
	e.Walk(ends{Collection: 2, Start: 30})
	e.Finish(31, abi.HeapNothing) // Born by it, met by the next one
	e.Born(of("Point", 5, 80))
	e.Walk(ends{Collection: 3, Start: 40})
	e.Finish(41, abi.HeapYoung)
	e.Moved(1, of("Point", 35, 560))
	e.Moved(2, of("Point", 10, 160))
	e.Walk(ends{Start: 50, Last: true})
	h := NewHistory(e.All())
	for _, test := range []struct {
		from, to  int64
		met, soon int64
		ages      string // of a half, and of 90 %
	}{
		{0, 0, 185, 130, "0 >=1"},
		{0, 20, 100, 100, "0 0"},
		{10, 11, 100, 100, "0 0"},
		{20, 30, 50, 30, "0 >=2"},
		{20, 31, 50, 30, "0 >=2"},
		{30, 40, 0, 0, ""},
		{30, 0, 35, 0, ">=1 >=1"},
		{40, 50, 35, 0, ">=1 >=1"},
		{41, 60, 0, 0, ""},
		{20, 0, 85, 30, ">=1 >=2"},
	} {
		q := Query{By: []By{ByClass}, Span: spanOf(test.from, test.to)}
		answer := h.Lifetimes(q)
		got := ""
		for _, r := range answer.Rows {
			got = r.Quantile(0.5).String() + " " + r.Quantile(0.9).String()
		}
		if answer.Met.Objects != test.met || answer.DiedSoon.Objects != test.soon || got != test.ages {
			t.Errorf("%d to %d: %d met, %d dead at once, ages %q; want %+v", test.from, test.to,
				answer.Met.Objects, answer.DiedSoon.Objects, got, test)
		}
	}
}

// spanOf is one in nanoseconds.
func spanOf(from, to int64) profile.Span {
	return profile.Span{From: time.Duration(from), To: time.Duration(to)}
}

// TestGenerations: what generations have of any span is what Ages and Lifetimes say of it, however much room there is,
// and what was born in it is what the pauses say.
func TestGenerations(t *testing.T) {
	for seed := range uint64(2) {
		for _, singly := range []bool{false, true} {
			for _, words := range []int{0, 400, 1} {
				t.Run(fmt.Sprintf("seed %d, single %v, %d words", seed, singly, words), func(t *testing.T) {
					events := heaptest.Random(rand.New(rand.NewPCG(seed, 3)), 60)
					if singly {
						events = new(heaptest.Events).RandomSingles(rand.New(rand.NewPCG(seed, 3)), 60)
					}
					checkGenerations(t, NewHistory(events.All()), words)
				})
			}
		}
	}
}

// spanSums is what there is of a class in a span.
type spanSums struct {
	Born, Met, Soon Amount
	Half            string
}

func checkGenerations(t *testing.T, h *History, words int) {
	t.Helper()
	q := Query{By: []By{ByClass}}
	line := h.Timeline(q)
	groups := make([]int, len(line.Selected))
	for class := range groups {
		groups[class] = class
		if Class(class) == Unused {
			groups[class] = -1
		}
	}
	g := h.Generations(line, groups, words)
	switch {
	case words == 0 && g.Every != 1, words == 1 && g.Every < len(line.Points), words > 1 && g.Every < 2:
		t.Fatalf("a generation is of %d of %d points", g.Every, len(line.Points))
	}
	last := (len(line.Points) + g.Every - 1) / g.Every
	for first := 0; first < last; first += 1 + last/6 { // each is answered from the start
		for end := last; end > first; end -= 1 + last/5 {
			q.Span = profile.Span{From: h.Pauses[first*g.Every].Start}
			if end < last {
				q.Span.To = h.Pauses[end*g.Every].Start
			}
			if first == 0 {
				q.Span.From = 0
			}
			got := sumGenerations(g, first, end)
			if diff := cmp.Diff(wantSums(t, h, q), got); diff != "" {
				t.Fatalf("%v: -want +got\n%s", q.Span, diff)
			}
		}
	}
}

// sumGenerations adds up those of stretches of a timeline.
func sumGenerations(g *Generations, first, end int) map[int]spanSums {
	sums, spreads := map[int]spanSums{}, map[int]*Spread{}
	for i := range g.List {
		one := &g.List[i]
		if one.Number < first || one.Number >= end {
			continue
		}
		sum := sums[one.Group]
		sum.Born, sum.Met, sum.Soon = Sum(sum.Born, one.Born), Sum(sum.Met, one.Met), Sum(sum.Soon, one.Soon)
		sums[one.Group] = sum
		if spreads[one.Group] == nil {
			spreads[one.Group] = &Spread{}
		}
		spreads[one.Group].die(0, one.Soon.Objects)
		for _, l := range one.Lived {
			spreads[one.Group].die(l.Collections, l.Died)
			spreads[one.Group].live(l.Collections, l.Left)
		}
	}
	for group, sum := range sums {
		if sum.Met != (Amount{}) {
			age, atLeast := spreads[group].Quantile(0.5)
			sum.Half = fmt.Sprint(RoundedAge(age), atLeast)
		}
		if sums[group] = sum; sum == (spanSums{}) {
			delete(sums, group)
		}
	}
	return sums
}

// wantSums has what the questions about a span say.
func wantSums(t *testing.T, h *History, q Query) map[int]spanSums {
	t.Helper()
	sums := map[int]spanSums{}
	for _, s := range h.states(len(h.Pauses)) {
		for _, e := range s.born.all() {
			if q.spans(s.Pause) && e.class != Unused {
				sum := sums[int(e.class)]
				sum.Born = sum.Born.plus(e.Amount)
				sums[int(e.class)] = sum
			}
		}
	}
	add := func(class Class, met, soon Amount, through Spread) {
		age, atLeast := through.Quantile(0.5)
		sums[int(class)] = spanSums{sums[int(class)].Born, met, soon, fmt.Sprint(RoundedAge(age), atLeast)}
	}
	if !h.HasSingles() {
		for _, r := range h.Lifetimes(q).Rows {
			add(r.Class, r.Met, r.Soon, r.Collections())
		}
		return sums
	}
	answer, err := h.Ages(q)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range answer.Rows {
		add(r.Class, r.Met, r.Soon, r.Collections)
	}
	return sums
}

// TestRoundedAge: ages are at most an eighth lower, and as they are up to 15.
func TestRoundedAge(t *testing.T) {
	for age := range int64(100_000) {
		if is := RoundedAge(age); is > age || age < 16 && is != age || float64(age-is) > float64(age)/8 {
			t.Fatalf("%d is taken for %d", age, is)
		}
	}
}
