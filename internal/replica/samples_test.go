package replica

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// someSamples are of two stacks that make objects at one line, and one that reads them.
func someSamples() *Samples {
	s := NewSamples()
	at := SampledFrame{"demo/Main", "make", "()V", 7}
	for number, caller := range map[uint32]string{1: "first", 2: "second"} {
		s.AddStack(number, &SampledStack{Class: "[I", Frames: []SampledFrame{at, {"demo/Main", caller, "()V", 0}}})
	}
	s.AddStack(3, &SampledStack{Frames: []SampledFrame{{"demo/Reader", "read", "([I)I", 9}}})
	for range 30 {
		s.AddSampled(1, 80, 100)
		s.AddSampled(2, 80, 100)
		s.AddPair(1, 3, abi.PairEqual|abi.PairKnown|abi.PairCopies, 10)
		s.AddPair(2, 3, 0, 1)
		s.AddPair(2, 3, abi.PairEqual|abi.PairKnown|abi.PairNear, 5)
	}
	for range 4 {
		s.AddValue(1, 7, Value(point(-1)))
		s.AddValue(2, 7, nil) // not told of this stack
	}
	for hash := range uint64(3) {
		s.AddWhole(1, hash)
		s.AddWhole(2, hash/2)
	}
	s.AddWhole(4, 1) // of no stack
	s.AddValue(2, 7, Value(point(-1)))
	s.AddValue(2, 7, nil)
	s.AddValue(1, 8, Value(point(8)))
	return s
}

// TestSamples: samples come out of events as they went in, and are told apart by sites or stacks.
func TestSamples(t *testing.T) {
	s := ReadSamples(someSamples().Records(7))
	if s == nil || s.Damaged > 0 {
		t.Fatalf("%+v", s)
	}
	p := &profile.Profile{}
	a := s.Ask(p, SampledQuery{})
	if len(a.Rows) != 1 || a.Pairs != 90 || a.Watched != 60 {
		t.Fatalf("%+v", a)
	}
	// of 60 equal pairs 30 are copies, of 90 in all a third
	r := a.Rows[0]
	if r.Class != "int[]" || r.All.Objects != 6000 || r.All.Bytes != 480_000 || r.Copies.Objects != 2000 ||
		math.Abs(r.Theta-2./3) > 1e-9 || math.Abs(r.Alpha-0.5) > 1e-9 || r.Near != 30 || r.NearEqual != 30 ||
		r.Reads != 30*16 || len(r.Accesses) != 1 || r.Accesses[0].Stack[0].Line != 9 {
		t.Errorf("%+v", r)
	}
	if want := (Whole{Objects: 6, Contents: 3, Once: 1, Twice: 1, Most: 3}); r.Whole != want || a.Whole != 6 {
		t.Errorf("looked at whole: %+v, want %+v", r.Whole, want)
	}
	examples := func(r SampledRow) (lines []string) {
		for _, e := range r.Examples {
			lines = append(lines, fmt.Sprint(e.Count, " ", e.Contents))
		}
		return lines
	}
	if got := fmt.Sprint(examples(r)); got != "[6 Point{x=-1} 1 Point{x=8}]" {
		t.Errorf("contents: %s", got)
	}
	if !r.IsLookalike() || r.IsFinding() {
		t.Errorf("γ %v, lookalike %v, finding %v", r.Gamma, r.IsLookalike(), r.IsFinding())
	}
	a = s.Ask(p, SampledQuery{ByContext: true})
	if len(a.Rows) != 2 || a.Rows[0].Stack[1].Name != "first" || !a.Rows[0].IsFinding() || a.Rows[1].IsFinding() {
		t.Errorf("by context: %+v", a.Rows)
	}
	got := fmt.Sprint(examples(a.Rows[0]), examples(a.Rows[1]))
	if got != "[4 Point{x=-1} 1 Point{x=8}] [2 Point{x=-1}]" {
		t.Errorf("contents by context: %s", got)
	}
	if a = s.Ask(p, SampledQuery{Class: "no.Such"}); len(a.Rows) != 0 {
		t.Errorf("of no class: %+v", a.Rows)
	}
}

// TestRowOfNone: a row of nothing has no stack to show, and is damaged.
func TestRowOfNone(t *testing.T) {
	data := make([]byte, abi.SampledStackRest)
	for objects := range int64(2) {
		row := sampledRow{abi.SampledMade: 1, abi.SampledObjects: objects}
		if _, _, good := NewSamples().decode(abi.EventSampledRows, row.append(data)); good != (objects > 0) {
			t.Errorf("a row of %d objects is taken to be good: %v", objects, good)
		}
	}
}

// TestSamplesIncomplete: of totals that lack an event nothing is answered, but what was recorded before is.
func TestSamplesIncomplete(t *testing.T) {
	records := someSamples().Records(1)
	whole := ReadSamples(records)
	later := someSamples().Records(2)
	for kind, data := range later[0].All() {
		if kind == abi.EventSampledEnd { // without those in front of it
			header := trace.EventHeader{Kind: kind, Bytes: uint32(len(data))}
			one := &trace.Events{Observer: Observer, Headers: []trace.EventHeader{header}, Data: data}
			if got := ReadSamples(append(records, one)); got == nil || len(got.stacks) != len(whole.stacks) {
				t.Errorf("%+v", got)
			}
			if ReadSamples([]*trace.Events{one}) != nil {
				t.Error("an end without what it ends is taken for whole")
			}
		}
	}
}

// TestSamplesBounded: whatever is added, memory is bounded, and what there is no room for is counted.
func TestSamplesBounded(t *testing.T) {
	s := NewSamples()
	for n := range uint32(2 * maxRows) {
		s.AddStack(n, &SampledStack{Frames: []SampledFrame{{Method: fmt.Sprint(n)}}})
		s.AddSampled(n, math.MaxInt64, math.MaxInt64)
		s.AddPair(n, n, abi.PairEqual, math.MaxInt64)
		s.AddPair(1, 1, abi.PairEqual, math.MaxInt64)
	}
	if len(s.stacks) > maxStacks || len(s.made)+len(s.pairs) > maxRows || s.Lost == 0 {
		t.Errorf("%d stacks, %d and %d rows, %d lost", len(s.stacks), len(s.made), len(s.pairs), s.Lost)
	}
	if n := s.pairs[[2]uint32{1, 1}].reads; n != math.MaxInt64 {
		t.Errorf("%d reads", n)
	}
}

// TestSampledValuesBounded: of each stack those contents are kept that most pairs had, and no more than there is room
// for in all.
func TestSampledValuesBounded(t *testing.T) {
	s := someSamples()
	for hash := range uint64(100 * maxClassValues) {
		s.AddValue(1, 1<<40, Value(point(40)))
		s.AddValue(1, hash, Value(point(int32(hash))))
	}
	if n := len(s.values[1]); n != maxClassValues {
		t.Errorf("%d contents of a stack", n)
	}
	row := s.Ask(&profile.Profile{}, SampledQuery{ByContext: true}).Rows[0]
	if e := row.Examples; len(e) != abi.ReplicaValues || e[0].Count != 100*maxClassValues ||
		e[0].Contents.String() != "Point{x=40}" {
		t.Errorf("%+v", e)
	}
	for made := range uint32(maxValues) {
		s.AddValue(made, 1, Value(point(1)))
		s.AddValue(made, 2, Value(point(2)))
	}
	s.AddValue(1<<20, 1, make(Value, abi.ReplicaValueBytes+1))
	if s.valued != maxValues || !s.HasValues() || s.values[1<<20] != nil {
		t.Errorf("%d are kept, want %d", s.valued, maxValues)
	}
	if NewSamples().HasValues() {
		t.Error("there are contents of nothing")
	}
	if again := ReadSamples(s.Records(1)); again.valued != maxValues || again.Damaged > 0 {
		t.Errorf("%d are read, %d damaged", again.valued, again.Damaged)
	}
}

// FuzzSamples: nothing that a recording says makes the decoder panic or take much memory, and what it takes is written
// and read again.
func FuzzSamples(f *testing.F) {
	for _, record := range someSamples().Records(3) {
		for kind, data := range record.All() {
			f.Add(kind, data)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint16, data []byte) {
		s := NewSamples()
		s.decode(kind, data)
		s.Lost = 0
		s.Ask(&profile.Profile{}, SampledQuery{})
		again := ReadSamples(s.Records(5))
		if again == nil {
			t.Fatal("what was read is not read again")
		}
		if len(again.stacks) != len(s.stacks) || len(again.made) != len(s.made) || len(again.pairs) != len(s.pairs) {
			t.Errorf("%d stacks, %d and %d rows; again %d, %d, %d", len(s.stacks), len(s.made), len(s.pairs),
				len(again.stacks), len(again.made), len(again.pairs))
		}
		for made, values := range s.values {
			for hash, v := range values {
				other := again.values[made][hash]
				if other.pairs != v.pairs || !bytes.Equal(other.contents, v.contents) {
					t.Errorf("%d %x: %+v, again %+v", made, hash, v, other)
				}
			}
		}
		for key, pairs := range s.pairs {
			if other := again.pairs[key]; other == nil || *other != *pairs {
				t.Errorf("%v: %+v, again %+v", key, pairs, other)
			}
		}
	})
}
