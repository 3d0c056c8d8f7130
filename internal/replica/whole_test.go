package replica

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestWholeByHand: of ten objects four had one contents, two another, and four one each.
func TestWholeByHand(t *testing.T) {
	w := newWhole(map[uint64]int64{1: 4, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1})
	if want := (Whole{Objects: 10, Contents: 6, Once: 4, Twice: 1, Most: 4}); w != want {
		t.Fatalf("%+v, want %+v", w, want)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-4 {
			t.Errorf("%s: %.4f, want %.4f", what, got, want)
		}
	}
	e := w.Estimate(0)
	near("met", e.Repeated, 0.6)            // 1 - 4/10
	near("at least", e.RepeatedLow, 0.1889) // less 1.96 times the root of 4 (1 - 4/10) + 2, by 10
	near("largest", e.Largest, 0.4)
	near("of 1,000", w.Estimate(1000).Repeated, 0.598) // one of each of two stays
	near("of 10", w.Estimate(10).Repeated, 0.4)        // that was all
	near("of 10, at least", w.Estimate(10).RepeatedLow, 0.4)
	if e := (Whole{}).Estimate(7); !math.IsNaN(e.Repeated) || !math.IsNaN(e.Largest) {
		t.Errorf("of none: %+v", e)
	}
}

// TestWholeEstimates draws objects of programs whose groups are known: in how many of 400 runs what is saved is not
// less than is said, and how far off the estimate is. Of many contents that few objects have each it is too low.
func TestWholeEstimates(t *testing.T) {
	const objects, runs = 100_000, 400
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name   string
		share  float64 // of one group
		others int     // groups of the rest; 0: each object is one of its own
	}{
		{"no copies", 0, 0}, {"half is one group", 0.5, 0}, {"65 % and ten others", 0.65, 10}, {"90 %", 0.9, 0},
		{"20 groups", 0, 20}, {"1,000 groups", 0, 1000}, {"all equal", 1, 1}, {"30,000 groups", 0, 30_000},
	} {
		groups := 1.0
		if c.share == 0 {
			groups = 0
		}
		if rest := (1 - c.share) * objects; c.others == 0 {
			groups += rest
		} else if rest > 0 {
			groups += float64(c.others)
		}
		saved := 1 - groups/objects
		for _, n := range []int{30, 300, 3000} {
			low, off, largest := 0, 0.0, 0.0
			for range runs {
				of := map[uint64]int64{}
				for range n {
					hash := uint64(0)
					switch {
					case random.Float64() < c.share:
					case c.others == 0:
						hash = random.Uint64() | 1
					default:
						hash = 1 + random.Uint64N(uint64(c.others))
					}
					of[hash]++
				}
				w := newWhole(of)
				e := w.Estimate(objects)
				if saved >= e.RepeatedLow-1e-9 {
					low++
				}
				off += (e.Repeated - saved) / runs
				largest += e.Largest / runs
			}
			t.Logf("%s, %d looked at: %.3f saved, %+.3f off, not below %.3f, largest group %.3f", c.name, n, saved, off,
				float64(low)/runs, largest)
			if c.share > 0.4 && math.Abs(largest-c.share) > 0.02 {
				t.Errorf("%s, %d looked at: the largest group has %.3f on average, want %.3f", c.name, n, largest,
					c.share)
			}
			if low < runs*93/100 {
				t.Errorf("%s, %d looked at: of %.3f more is said in %d of %d runs", c.name, n, saved, runs-low, runs)
			}
			if isMany := c.others > n/10; off > 0.02 || !isMany && off < -0.02 {
				t.Errorf("%s, %d looked at: of %.3f the estimate is %+.3f off", c.name, n, saved, off)
			}
		}
	}
}

// TestWholeBounded: however many contents there are, memory is bounded, and what is kept is a sample of all.
func TestWholeBounded(t *testing.T) {
	s := NewSamples()
	const rounds = 3
	for i := range uint64(rounds * maxWhole) {
		s.AddWhole(1, i)
		s.AddWhole(2, 7)
	}
	w := newWhole(s.whole[1])
	if s.contents > maxWhole || w.Contents < maxWhole/4 || s.contents != len(s.whole[1])+len(s.whole[2]) {
		t.Errorf("%d contents, %d of the stack with many", s.contents, w.Contents)
	}
	same, all := float64(s.whole[2][7]), float64(w.Objects)
	if math.Abs(same/all-1) > 0.05 {
		t.Errorf("of as many objects %.0f and %.0f are kept", same, all)
	}
}

// TestWholeEarlyAndLate: what came before some was given up counts as much as what comes later.
func TestWholeEarlyAndLate(t *testing.T) {
	s := NewSamples()
	const many = 100_000
	for range many {
		s.AddWhole(1, 7)
	}
	for i := range uint64(2 * maxWhole) { // others
		s.AddWhole(2, i)
	}
	for range many {
		s.AddWhole(3, 7)
	}
	early, late := float64(s.whole[1][7]), float64(s.whole[3][7])
	if s.wholeLevel == 0 || math.Abs(early/late-1) > 0.05 {
		t.Errorf("%.0f early ones and %.0f late ones are kept, one of 2^%d", early, late, s.wholeLevel)
	}
}

// TestJudgedByWhole: where enough objects were looked at they say what a row is, and not pairs; of few only what is
// sure counts.
func TestJudgedByWhole(t *testing.T) {
	row := func(same, different int64, pairs Pairs) *SampledRow {
		r := &SampledRow{Pairs: pairs, Whole: Whole{Objects: same + different, Contents: different + min(same, 1),
			Once: different, Most: same}}
		r.finish(1)
		return r
	}
	equal := Pairs{Equal: 50, Copies: 50}
	if r := row(0, 30, equal); r.IsFinding() || !r.IsLookalike() {
		t.Errorf("30 different objects, 50 equal pairs: finding %v, lookalike %v", r.IsFinding(), r.IsLookalike())
	}
	if r := row(30, 0, Pairs{Different: 50}); !r.IsFinding() {
		t.Error("30 equal objects, 50 different pairs are no finding")
	}
	if r := row(0, 5, equal); !r.IsFinding() {
		t.Error("5 different objects, 50 equal pairs are no finding")
	}
	if r := row(10, 0, Pairs{}); r.IsJudged() || r.copied() != r.AsWhole.RepeatedLow || r.copied() > 0.9 {
		t.Errorf("10 equal objects: judged %v, %.2f are copies", r.IsJudged(), r.copied())
	}
}
