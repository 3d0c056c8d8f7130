package heap

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap/heaptest"
)

// TestAges: single objects have the ages that they died at, in all three units; of those that live, or that nobody has
// seen again, it is only known that they are not younger.
func TestAges(t *testing.T) {
	h := NewHistory(heaptest.Singly().All())
	answer, err := h.Ages(Query{By: []By{ByClass}})
	if err != nil {
		t.Fatal(err)
	}
	const second = int64(1e9)
	at := func(ages ...int64) map[uint16]int64 { // one object each
		m := map[uint16]int64{}
		for _, age := range ages {
			m[step(age)]++
		}
		return m
	}
	want := map[string]AgesRow{
		"demo.Entry": {Met: Amount{4, 128}, Collections: Spread{at(1, 2, 2), at(3)},
			Time:      Spread{at(second, 2*second, 2*second), at(3 * second)},
			Allocated: Spread{at(0, 0, 0), at(48)}},
		"demo.Name": {Met: Amount{1, 24}, Soon: Amount{1, 24}, Collections: Spread{died: at(0)},
			Time: Spread{died: at(0)}, Allocated: Spread{died: at(0)}},
		"demo.Lock": {Met: Amount{1, 16}, Collections: Spread{left: at(0)}, Time: Spread{left: at(0)},
			Allocated: Spread{left: at(0)}},
	}
	got := map[string]AgesRow{}
	for _, r := range answer.Rows {
		name := h.Name(r.Class)
		r.Class = 0
		got[name] = r
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Spread{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff(Unknown{Births: 1, Ends: 1}, answer.Unknown); diff != "" { // the lock, before and after
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestSpread: steps are in the order of ages and near to them; quantiles and survival are those of the objects.
func TestSpread(t *testing.T) {
	last := uint16(0)
	for _, age := range []int64{0, 1, 1022, 1023, 1024, 1025, 1026, 2047, 2048, 1 << 20, 3 << 40, math.MaxInt64} {
		at := step(age)
		if lowest := ageOf(at); lowest > age || float64(age-lowest) > float64(age)/512 || age < 1024 && lowest != age {
			t.Errorf("%d is taken for %d", age, lowest)
		}
		if at < last {
			t.Errorf("the step of %d is in front of others", age)
		}
		last = at
	}

	var s Spread
	s.die(0, 60)
	s.die(1, 10)
	s.live(2, 10)
	s.die(5, 15)
	s.live(7, 5)
	for _, q := range []struct {
		share   float64
		age     int64
		atLeast bool
	}{{0.5, 0, false}, {0.7, 1, false}, {0.8, 2, true}, {0.85, 5, false}, {0.9, 5, true}, {1, 7, true}} {
		if age, atLeast := s.Quantile(q.share); age != q.age || atLeast != q.atLeast {
			t.Errorf("%v: %d, %v, want %d, %v", q.share, age, atLeast, q.age, q.atLeast)
		}
	}
	for _, p := range []struct {
		to    int64
		share float64
		known bool
	}{{0, 1, true}, {1, 0.4, true}, {2, 0.3, true}, {3, 0.3, true}, {5, 0.3, true}, {6, 0.075, true},
		{7, 0.075, true}, {8, 0.075, false}} {
		if share, known := s.Survival(p.to); math.Abs(share-p.share) > 1e-9 || known != p.known {
			t.Errorf("%d: %v, %v, want %v, %v", p.to, share, known, p.share, p.known)
		}
	}
}
