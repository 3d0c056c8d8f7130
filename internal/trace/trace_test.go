package trace

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample has a record of each kind, with every field set.
func sample() []Record {
	return []Record{
		&Process{MallardVersion: "1.0", PID: 4711, JVMVersion: "17.0.1+12", JVMName: "OpenJDK 64-Bit Server VM",
			GC: "G1",
			Command: []string{"java", "-cp", "a b",
				"demo.Main"}, Started: 1700000000123456789, Track: []string{"sites"},
			Placement: "optimal", Arch: "amd64", ArrayBase: [4]uint32{16, 16, 16, 16}, RefBytes: 4, ObjectAlignment: 8},
		&Loader{ID: 1, Class: "jdk/internal/loader/ClassLoaders$AppClassLoader", Name: "app"},
		&ClassDef{ID: 3, Loader: 1, Name: "demo/Main", Source: "Main.java", SiteBase: 7, CounterBase: 9, Counters: 4,
			Methods: []MethodDef{
				{Name: "main", Descriptor: "([Ljava/lang/String;)V",
					Sites: []SiteDef{
						{BCI: 0, Line: 5, Type: "demo/Point"},
						{BCI: 12, Line: 6, Type: "[I", Kind: ArrayConst, Length: 10},
						{BCI: 20, Line: -1, Type: "[[I", Kind: Multi},
					},
					Counters: []CounterDef{
						{Counter: 0, Semantics: []Term{{0, 1}, {1, -2}}},
						{Counter: 2, Kind: Elements, Semantics: []Term{{2, 1}}},
					}},
				{Name: "run", Descriptor: "()V", Fallback: "jsr", ThrowCrossesPath: true,
					Sites:    []SiteDef{{BCI: 4, Line: 17, Type: "[J", Kind: ArrayLen}},
					Counters: []CounterDef{{Counter: 3, Kind: Bytes, Semantics: []Term{{0, 1}}}}},
				{Name: "\xed\xa0\x80", Descriptor: "()V", Number: 5, Hidden: true},
			},
			Bytes: 1234, NewBytes: 1300, Micros: 77},
		&ClassSize{Loader: 1, Name: "demo/Point", Bytes: 24},
		&Skipped{Loader: 1, Name: "demo/Huge", Reason: `code is "too long"` + "\n"},
		&Seen{Classes: 500, Instrumented: 300, Unchanged: 190, Skipped: 10, Hidden: 7, Methods: 2000, Adapted: 5,
			Fallback: 1, Cached: 400, Calling: 1500},
		&Thread{ID: 2, Name: "main", Carrier: true, JavaID: 1, Ended: true},
		&Snapshot{Nanos: 1000000000, Thread: 2, Full: true, Values: []CounterValue{{9, 100000}, {11, 3}, {12, -1}}},
		&LiveFrames{Thread: 2, Terms: []SiteTerm{{7, 1}, {9, -1}}},
		&Mark{Nanos: 1000000001, JVMBytes: 1 << 40, Bytecodes: 1000003},
		&Retired{Class: 3},
		&Loss{Kind: "records", Count: 12, Detail: "disk full"},
		&End{Nanos: 2000000000, Complete: true, ExitReason: "exit 0"},
		&Allocated{Thread: 2, Bytes: 1 << 33},
		&Internal{Cause: VMThreads, Bytes: 4096},
		&ClassObjects{What: "constants", Type: "[B", Objects: 3, Elements: 40, Bytes: 96},
		&Adaptation{Batches: 2, Classes: 5, Live: 1, Refused: 1, JVMNanos: 3000000, DecisionNanos: 1000000,
			Increments: 100, Baseline: 250},
		&MethodName{Number: 6, Loader: 1, Class: "demo/Main", Name: "walk", Descriptor: "()V", Source: "Main.java",
			Native: true},
		&Contexts{Nodes: []ContextNode{{ID: 512, Method: 6, BCI: -1, Line: -1},
			{ID: 1 << 40, Parent: 512, Method: 5, BCI: 3, Line: 17}}},
		&ContextCounts{Nanos: 1000000000, Thread: 2, Full: true,
			Values:      []ContextValue{{1 << 40, 9, 5}, {1 << 40, 10, -1}},
			Invocations: []ContextInvocations{{512, 1}, {1 << 40, 70000}}},
		&ContextLiveFrames{Thread: 2, Terms: []ContextTerm{{1 << 40, 7, 1}}},
		&ContextTotals{Bytes: 1 << 30, Pairs: 1 << 40, Epochs: 3, Calls: 20_000, GraphBytes: 1 << 20, Anchors: 100_000,
			AnchorBytes: 3_200_000, Asked: 16_000},
		&Transaction{Number: 7, Name: "an order"},
		&Program{Number: 1, File: "a.mallard", PID: 4711, JVMVersion: "17.0.1+12", JVMName: "OpenJDK 64-Bit Server VM",
			GC: "G1", Command: []string{"java", "demo.Main"}, Started: 1700000000123456789, Nanos: 5_000_000_000,
			Complete: true, JVMBytes: 1 << 40, VMStart: 3, VMThreads: 4, EscapeAnalysis: 5, Unattributed: 6,
			Increments: 7, SiteIncrements: 8},
		&Sums{Program: 1, Thread: 1, Threads: 1, Cells: []SumCell{
			{Context: 3, Site: 7, Objects: 1 << 40, Bytes: 1 << 45},
			{Context: 1 << 40, Site: 8, Objects: -1, Elements: 5, Bytes: -24}}},
		&TransactionSizes{Number: 7, Ended: 5, Bytes: 4096, Most: 2048, Sizes: []SizeCount{{40, 3}, {72, 1}}},
		&Events{Observer: "objects", Ring: 2, Headers: []EventHeader{{3, 5}, {4, 0}, {3, 2}},
			Data: []byte("\x00born\xff\n")},
		&EventsLost{Ring: 2, From: 5, To: 1 << 40, LevelThen: 1, Level: 2, Counts: []LostCount{{3, 7}, {4, 1 << 50}},
			Less: "objects were recorded without their sites"},
		&EventsKeyframe{Observer: "objects", Headers: []EventHeader{{3, 5}, {4, 0}}, Data: []byte("\x00born"), Part: 1,
			Parts: 3, Lost: 7},
		&Kept{From: 1500000000, For: 600000000000},
		&ContextTags{Thread: 2, Name: "main", Carrier: true, Values: []ContextValue{{1 << 40, 9, 5}, {1 << 41, 9, 4}}},
		&Keyframe{Nanos: 1500000000},
		&Index{Previous: 4096, Blocks: []IndexedBlock{{Offset: 144, Records: 2, Contents: Definitions},
			{Offset: 900, First: 2, Records: 7, Contents: BeginsKeyframe | Summaries, Nanos: 1500000000}}},
	}
}

// inOrder has the records of sample that come out of a recording as they went in, whatever is in one block with
// them, and to which a Writer adds none.
func inOrder() []Record {
	return slices.DeleteFunc(sample(), func(r Record) bool {
		switch r.(type) {
		case *End, *Keyframe, *Index:
			return true
		}
		return layoutOf(r.kind()).traits().has(naming)
	})
}

// inFileOrder gives records in the order in which the blocks have them that encode makes.
func inFileOrder(perBlock int, records []Record) (all []Record) {
	var definitions, counts []Record
	defined, fence := 0, false
	seal := func() {
		defined += len(definitions)
		all = append(append(all, definitions...), counts...)
		definitions, counts, fence = nil, nil, false
	}
	for i, r := range records {
		switch r := r.(type) {
		case *Process, *Loader, *ClassDef, *ClassSize, *Skipped, *MethodName, *Contexts, *Transaction:
			if fence {
				seal()
			}
			definitions = append(definitions, r)
		case *Keyframe:
			seal()
			counts, fence = append(counts, &Keyframe{r.Nanos, uint64(defined)}), true
		default:
			_, is := r.(*Retired)
			fence = fence || is
			counts = append(counts, r)
		}
		if (i+1)%perBlock == 0 {
			seal()
		}
	}
	seal()
	return all
}

// withoutIndex leaves out what a Writer adds by itself.
func withoutIndex(records []Record) []Record {
	return slices.DeleteFunc(records, func(r Record) bool { _, is := r.(*Index); return is })
}

// encode writes records with a Flush after every perBlock of them.
func encode(t testing.TB, perBlock int, records ...Record) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for i, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
		if (i+1)%perBlock == 0 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func drain(t testing.TB, r *Reader) []Record {
	t.Helper()
	var records []Record
	for {
		record, err := r.Next()
		if err == io.EOF {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
}

func decode(t testing.TB, file []byte) ([]Record, []*Damage) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return drain(t, r), r.Damage()
}

func TestRoundTrip(t *testing.T) {
	for _, perBlock := range []int{1, 3, 100} {
		got, damage := decode(t, encode(t, perBlock, sample()...))
		want := withoutIndex(inFileOrder(perBlock, sample()))
		if diff := cmp.Diff(want, withoutIndex(got)); diff != "" || len(damage) > 0 {
			t.Errorf("%d records per block: damage %v, -want +got:\n%s", perBlock, damage, diff)
		}
	}
}

func TestEveryKindHasSample(t *testing.T) {
	seen := make(map[Kind]bool)
	for _, r := range sample() {
		seen[r.kind()] = true
	}
	for k, l := range layouts {
		if l != nil && !seen[Kind(k)] {
			t.Errorf("no sample of %s", l.name())
		}
	}
}
