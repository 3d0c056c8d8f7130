package heap

import (
	"encoding/binary"
	"math"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// FuzzHistory asks every question of any events, each a kind, a length of two bytes, and data, also where they are in a
// keyframe. There are never fewer objects than none.
func FuzzHistory(f *testing.F) {
	f.Add(fuzzBytes(heaptest.Demo().All()[0]))
	f.Add(fuzzBytes(heaptest.Odd().All()[0]))
	f.Add(fuzzBytes(heaptest.Singly().All()[0]))
	f.Add(fuzzBytes(heaptest.Doubtful().All()[0]))
	f.Add(fuzzBytes(heaptest.Leak().All()[0]))
	f.Add(fuzzBytes(heaptest.Loaded().All()[0]))
	f.Add(fuzzBytes(renumbered(1).Singly().All()[0]))
	f.Add(fuzzBytes(heaptest.Unplaced().All()[0]))
	for _, events := range []*heaptest.Events{heaptest.Singly(), heaptest.Doubtful(), heaptest.Unplaced()} {
		follower := NewFollower(true)
		for _, e := range oneByOne(events.All()) {
			follower.Take(e.kind, e.data)
		}
		for part := range follower.Keyframe() {
			f.Add(fuzzBytes(&trace.Events{Headers: part.Headers, Data: part.Data}))
		}
	}
	f.Add([]byte{abi.EventHeapRows, 0, 22})
	f.Fuzz(func(t *testing.T, b []byte) {
		record := &trace.Events{}
		for len(b) >= 3 {
			n := min(int(binary.LittleEndian.Uint16(b[1:])), len(b)-3)
			record.Headers = append(record.Headers, trace.EventHeader{Kind: uint16(b[0]), Bytes: uint32(n)})
			record.Data = append(record.Data, b[3:][:n]...)
			b = b[3+n:]
		}
		h := NewHistory([]*trace.Events{record})
		askAll(t, h)
		for _, by := range [][]By{{ByLoader}, {ByThread}, {ByThread, ByLoader}, {ByThread, BySite}} {
			askAll(t, h.Apart(by, "*o*", func(tag uint32) profile.Made {
				return profile.Made{Context: profile.NoContext, Thread: string(rune('a' + tag%3))}
			}))
		}
		late := NewReading(true)
		late.Add(&trace.EventsKeyframe{Observer: Observer, Headers: record.Headers, Data: record.Data, Parts: 1})
		late.Add(&trace.Events{Observer: Observer, Headers: record.Headers, Data: record.Data})
		askAll(t, late.History())
		for _, each := range []bool{false, true} {
			follower := NewFollower(each)
			for kind, data := range record.All() {
				follower.Take(kind, data)
			}
			kept := NewReading(true)
			for part := range follower.Keyframe() {
				kept.Add(part)
			}
			kept.Add(&trace.Events{Observer: Observer, Headers: record.Headers, Data: record.Data})
			askAll(t, kept.History())
		}
	})
}

// askAll asks every question of a history.
func askAll(t *testing.T, h *History) {
	t.Helper()
	h.Check(17)
	for _, q := range []Query{{By: []By{ByClass}}, {By: []By{BySpace, ByGeneration, ByAge}, Sort: profile.SortBytes,
		Top: 3, Class: "*a*"}, {By: []By{BySite}, Counts: NewCounts(h, &profile.Profile{})}} {
		for i := range h.Pauses {
			for _, r := range h.Held(i, q).Rows {
				if r.isNegative() {
					t.Errorf("%s: %+v", h.Name(r.Class), r.Amount)
				}
			}
			for _, r := range h.Diff(i-1, i, q).Rows {
				if r.Before.isNegative() || r.After.isNegative() || r.Born.isNegative() {
					t.Errorf("%s: %+v", h.Name(r.Class), r.DiffAmounts)
				}
			}
			if i == 0 || i == len(h.Pauses)-1 { // each replays all before
				checkVerdicts(t, h.Verdicts(i, q, Causes{0: humongousCause, 1: "Ergonomics"}))
				if objects, err := h.Objects(i, q); err == nil && objects.Missing.isNegative() {
					t.Errorf("%+v", objects.Missing)
				}
			}
			if moved, err := h.Moved(i, q); err == nil && moved.Selected.All().isNegative() {
				t.Errorf("%+v", moved)
			}
			for _, r := range h.Regions(i) {
				if r.Held.isNegative() || r.Bytes > r.Held.Bytes {
					t.Errorf("%+v", r)
				}
			}
			h.After(h.Pauses[i].Collection)
			h.At(h.Pauses[i].Start)
		}
		checkLastMap(t, h, q)
		if answer, err := h.Premature(q); err == nil && answer.Died.Objects > answer.Looked.Objects {
			t.Errorf("%+v", answer)
		}
		for _, r := range h.Lifetimes(q).Rows {
			if age := r.Quantile(0.9); r.Met.isNegative() || age.Collections < r.Quantile(0.5).Collections {
				t.Errorf("%s: %+v, 90 %% %s", h.Name(r.Class), r.Lifetime, age)
			}
		}
		if answer, err := h.Ages(q); err == nil {
			for _, r := range answer.Rows {
				checkSpread(t, &r.Collections)
				checkSpread(t, &r.Time)
				checkSpread(t, &r.Allocated)
			}
		}
		line := h.Timeline(q)
		for _, g := range h.Generations(line, make([]int, len(line.Selected)), 40).List { // all are one group
			if g.Number >= max(1, len(line.Points)) || g.Born.isNegative() {
				t.Errorf("%+v", g)
			}
		}
		for _, c := range line.Courses {
			for _, change := range c.Changes {
				if change.Held.isNegative() || change.Born.isNegative() {
					t.Errorf("%s: %+v", h.Name(c.Class), change)
				}
			}
		}
		if growth, err := h.Growth(q); err == nil {
			for _, r := range growth.Rows {
				if math.IsNaN(r.Slope) || math.IsNaN(r.Fit) || math.IsInf(r.Slope, 0) {
					t.Errorf("%+v", r)
				}
			}
		}
	}
}

func checkSpread(t *testing.T, s *Spread) {
	t.Helper()
	half, _ := s.Quantile(0.5)
	most, _ := s.Quantile(0.9)
	share, _ := s.Survival(half)
	if half < 0 || most < half || !(share >= 0 && share <= 1) {
		t.Errorf("%+v: half %d, 90 %% %d, %v live as long", s, half, most, share)
	}
}

// checkVerdicts: their figures are numbers.
func checkVerdicts(t *testing.T, v *Verdicts) {
	figures := []float64{}
	for i := range v.Growing {
		g := &v.Growing[i]
		kept, born := g.Kept()
		figures = append(figures, g.Slope, g.Fit, g.Each, kept, born)
	}
	if c := v.Churning; c != nil {
		figures = append(figures, c.Rate(), float64(c.Died.Bytes)/float64(c.Born.Bytes),
			c.Stopped.Seconds()/c.Time.Seconds())
	}
	if e := v.Early; e != nil {
		figures = append(figures, float64(e.Died.Bytes)/float64(e.Promoted.Bytes))
	}
	if c := v.Crowded; c != nil {
		figures = append(figures, float64(c.Left)/float64(c.Found))
	}
	for _, f := range figures {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			t.Errorf("%+v: %v", v, figures)
		}
	}
}

// fuzzBytes are events as the fuzzer has them.
func fuzzBytes(record *trace.Events) (b []byte) {
	for kind, data := range record.All() {
		b = append(binary.LittleEndian.AppendUint16(append(b, byte(kind)), uint16(len(data))), data...)
	}
	return b
}

// checkLastMap follows all maps to the last one, which has the regions of the end.
func checkLastMap(t *testing.T, h *History, q Query) {
	t.Helper()
	of := MapQuery{Query: q, Classes: []Class{Other}, Regions: true, Words: 200}
	for i := range h.Pauses {
		of.Moments = append(of.Moments, i)
	}
	d := newDrawing()
	for _, m := range h.Maps(of).Maps {
		d.take(&m)
	}
	if len(h.Pauses) == 0 {
		return
	}
	for _, r := range h.Regions(len(h.Pauses) - 1) {
		if got := d.regions[regionAt{r.Space, r.Number}]; !r.isEmpty() && got != r {
			t.Errorf("a map has %+v, where there is %+v", got, r)
		}
	}
}
