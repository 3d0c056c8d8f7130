package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// measured has something of every part.
func measured() *Figures {
	f := &Figures{Heap: "-Xmx1g", Processors: 2}
	fop := subject{"17.0.1", "fop"}
	f.Rates = []Rate{{subject: fop, MegabytesPerSecond: 600}}
	f.Increments = []Increments{{subject: fop, Objects: 10, Placements: map[string]float64{"site": 1, "ducktracks": 0.9,
		"optimal": 0.8}}}
	f.Frequencies = []Frequencies{{subject: fop, Static: 1, True: 0.5}}
	f.Attribution = []Attribution{{fop, 1000, 998, map[string]int64{"vm_start": 1, "unattributed": 1},
		[]Elements{{"byte", 20_000, 40_000, 300}, {"reference", 10, 0, 160}}}}
	f.Adaptation = []Adaptation{{subject: fop, Objects: 10, Without: 0.8, With: 0.7}}
	f.Instrumenting = &Instrumenting{JDK: "17.0.1"}
	f.Turns = []Turns{{fop, "G1", []map[string]Turn{{plain: {Whole: 10, Steady: 5},
		mallard: {Whole: 12, Steady: 5.5}},
		{plain: {Whole: 10, Steady: 5}, mallard: {Whole: 14, Steady: 5.1}}}}}
	f.Tracks = []Turns{{fop, "G1", []map[string]Turn{{plain: {Whole: 10, Steady: 5, Memory: 100},
		mallardSampled: {Whole: 12, Steady: 5.5, Memory: 110, Recorder: 20}}}}}
	f.Objects = []Turns{{fop, "G1", []map[string]Turn{
		{plain: {Whole: 10, Steady: 5, Elapsed: 4, Threads: map[string]float64{programThreads: 5},
			Pauses: samplePauses(2)},
			mallardObjects: {Whole: 12, Steady: 5.5, Elapsed: 5, Pauses: samplePauses(3),
				Threads: map[string]float64{programThreads: 5.2, recorderThreads: 0.3}}}}}}
	f.Births = []Births{{subject: fop, Collector: "G1", Variant: mallardObjects, Born: objects{10, 160},
		Counted: objects{9, 144}, More: objects{1, 16}, Threads: 150, File: 5}}
	f.Pauses = []Turns{{fop, "Serial", []map[string]Turn{
		{plain: {Whole: 10, Pauses: samplePauses(1)}, mallard: {Whole: 11, Pauses: samplePauses(1.1)}}}}}
	f.Copies = []Copies{{subject: fop, Change: changes[0].name, Objects: map[string]int64{plain: 10, withChange: 9},
		Bytes: map[string]int64{plain: 100, withChange: 80},
		Rounds: []map[string]Turn{{plain: {Whole: 10, Steady: 5, Memory: 100},
			withChange: {Whole: 9, Steady: 4, Memory: 90}}}}}
	f.Agreement = []Agreement{{fop, 100, []Judged{{Class: "int[]", Site: "demo.Main.fill:6", Bytes: 10,
		Sampled: 0.7, Exact: 0.5, SampledLargest: 0.4, ExactLargest: 0.3}}}}
	var pair AttachedPair
	turn := ServedTurn{Attached: Served{Requests: 10, Seconds: 1, Processor: 0.5}, Other: Served{10, 0, 1, 0.4}}
	pair.Before = Phase{turn}
	for i := range attachments {
		pair.During[i], pair.After[i] = Phase{turn}, slices.Repeat(Phase{turn}, afterTurns)
	}
	f.Attached = []Attached{{"17.0.1", attachWays[0], []AttachedPair{pair}}}
	f.Counters = []CounterCandidate{{JDK: "17.0.1", Candidate: "none"}}
	f.Events = &EventRings{
		Streams: []EventStream{{Size: 16, Contents: "heap"}}, Producer: []EventCost{{Size: 16}},
		Collections: []CollectionsCost{{JDK: "17.0.1"}},
	}
	for _, how := range []start{{how: plain}, {how: "early hook", part: "hook"}, {how: lateHook}} {
		f.Startup = append(f.Startup, Startup{startKey{"17.0.1", "hello", how.how}, how.part, []float64{30, 40, 35},
			[]float64{50, 60, 55}, []float64{0, 0, 0}})
	}
	cell := f.cell(setting{jvmtest.JDK{Version: "17.0.1"}, "G1"}, Workload{Name: "fop"}, "a")
	for _, seconds := range []float64{2, 2.2, 2.1} {
		cell.set(len(cell.Rounds), Round{
			plain: {Seconds: 2, CPU: 3, Steady: 1, Memory: 100},
			mallard: {Seconds: seconds, CPU: 3, Steady: 1.05, Memory: 110, Recorder: 30, Counted: &counted{Objects: 10,
				Increments: 8}},
			jfr: {Seconds: 2 * seconds, CPU: 4, Steady: 1.5, Memory: 150},
		})
	}
	return f
}

// TestKeptFigures interrupts a measurement and goes on with the same binary, and with another.
func TestKeptFigures(t *testing.T) {
	folder := t.TempDir()
	if err := measured().write(folder); err != nil {
		t.Fatal(err)
	}
	f, err := readFigures(folder)
	if err != nil {
		t.Fatal(err)
	}
	at, fop := setting{jvmtest.JDK{Version: "17.0.1"}, "G1"}, Workload{Name: "fop"}
	three, err := selectVariants("mallard,jfr")
	if err != nil {
		t.Fatal(err)
	}
	cell := f.cell(at, fop, "a")
	two, err := selectVariants("mallard-no-cache")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		round  int
		wanted []variant
		count  int
	}{{2, three, 0}, {2, two, 4}, {3, two, 2}, {2, variants, len(variants)}} {
		if missing := cell.missing(test.round, test.wanted); len(missing) != test.count || test.count > 0 &&
			missing[0].name != plain {
			t.Errorf("%d variants are missing in round %d, want %d", len(missing), test.round, test.count)
		}
	}
	if cell != f.cell(at, fop, "a") || cell == f.cell(setting{at.jdk, "Serial"}, fop, "a") {
		t.Error("cells are not told apart")
	}
	if got := cell.ratio(mallard, whole); got != "1.05 (1.00–1.10)" {
		t.Errorf("ratio %q", got)
	}
	if each, unadapted := cell.increments(); each != "0.800" || unadapted != "0.800" {
		t.Errorf("increments %q, without adaptation %q", each, unadapted)
	}
	if again := f.cell(at, fop, "b"); len(again.Rounds) != 0 {
		t.Error("rounds of another binary are kept")
	}
}

// TestDocument writes sample figures beside a copy of the results, and the page of both.
func TestDocument(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(root, resultsFolder)
	if err := os.CopyFS(results, os.DirFS(filepath.Join(jvmtest.MustRoot(t), resultsFolder))); err != nil {
		t.Fatal(err)
	}
	figures := measured()
	for _, p := range parts {
		if len(figures.tables(p.name)) == 0 {
			t.Errorf("nothing of %s in the sample", p.name)
		}
	}
	for range 2 { // the second time the results are the program's own
		if err := figures.document(root); err != nil {
			t.Fatal(err)
		}
	}
	tables, err := readResults(results)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, table := range tables {
		text.WriteString(table.String())
	}
	for _, want := range []string{
		"| fop | 2.0 | 1.05 (1.00–1.10) |  | 1.05 | 1.00 | 0.800 | 0.800 | 0 %, at most 0 % |",
		"| fop | 0 | 99.80 % | 0.10 % | 0.10 % |",
		"| fop | 100 | 110 | 1.10 | 30 | +35 |",
		"| hello | 17.0.1 | 35 (30–40) | +0 |",
		"| fop | 2 | 1.06 (1.02–1.10) | 1.30 (1.20–1.40) |",
		"| fop | 1 | 5 | 0.200 | 150.0 | 1.25 | 1.21 | 1.10 | 1.21 |",
	} {
		if n := strings.Count(text.String(), want); n != 1 {
			t.Errorf("%q is there %d times in\n%s", want, n, text.String())
		}
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "benchmarks.md"))
	if err != nil || !strings.Contains(string(page), "| fop | 2 | 1.06 (1.02–1.10) | 1.30 (1.20–1.40) |") {
		t.Errorf("the page does not have the sample: %v", err)
	}
	for _, title := range []string{"### Pauses\n", "### Objects\n", "| program | 1.000 | 1.040 |",
		"steady state, wall time: mallard-objects | "} {
		if !strings.Contains(string(page), title) {
			t.Errorf("the page has no %q of what was measured", title)
		}
	}
	checkPlot(t, filepath.Join(root, "docs", plotFile))
}

// TestPage compares the page with the results that it is made of.
func TestPage(t *testing.T) {
	root := jvmtest.MustRoot(t)
	want, err := page(filepath.Join(root, resultsFolder))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "docs", "benchmarks.md"))
	if err != nil || string(got) != want {
		t.Errorf("docs/benchmarks.md is not what `go run ./bench -docs` makes of %s (%v)", resultsFolder, err)
	}
	if strings.Contains(want, "no result is called") {
		t.Error("page.md names a result that is missing")
	}
}

func checkPlot(t *testing.T, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	texts := map[string]bool{}
	for decoder := xml.NewDecoder(file); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			texts[strings.TrimSpace(string(text))] = true
		}
	}
	for _, want := range []string{"fop", "mallard", "JFR", "1.1"} {
		if !texts[want] {
			t.Errorf("the plot does not say %q", want)
		}
	}
}

// TestVariants runs a tiny workload in every variant, and with every collector.
func TestVariants(t *testing.T) {
	root := jvmtest.MustRoot(t)
	binary := filepath.Join(root, "bin", "mallard")
	s := &session{builds: builds{root, binary, binary}, short: true}
	if _, err := s.binaryHash(); err != nil {
		t.Fatalf("%v; run make build first", err)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := jdk.MustJavac(t, nil, filepath.Join(root, "bench", "testdata", "Tiny.java"),
			filepath.Join(root, "bench", "workloads", "Workload.java"))
		for i, collector := range collectors {
			some := variants
			if i > 0 {
				some = variants[:2]
			}
			command := jvmtest.Command{Options: setting{jdk, collector}.options(), Classpath: []string{classes},
				Main: "Tiny", Args: []string{"1", "2"}}
			round, err := s.runRound(jdk, command, some)
			if err != nil {
				t.Fatalf("%s: %v", collector, err)
			}
			for _, v := range some {
				run, ok := round[v.name]
				if !ok || run.Seconds <= 0 || run.CPU <= 0 || run.Memory < 5 || run.checksum == "" || run.began == 0 ||
					run.ended < run.began {
					t.Errorf("%s, %s: %+v", collector, v.name, run)
				}
				recorded := strings.HasPrefix(v.name, mallard) || strings.HasPrefix(v.name, before)
				if (v.name == mallard) != (run.Counted != nil) || recorded != (run.Recorder > 0) {
					t.Errorf("%s, %s: %+v", collector, v.name, run)
				}
			}
		}
	})
}

// TestTurns has a tiny workload in every variant take turns.
func TestTurns(t *testing.T) {
	root := jvmtest.MustRoot(t)
	binary := filepath.Join(root, "bin", "mallard")
	s := &session{builds: builds{root, binary, binary}, short: true}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := jdk.MustJavac(t, nil, filepath.Join(root, "bench", "testdata", "Tiny.java"),
			filepath.Join(root, "bench", "workloads", "Workload.java"))
		command := jvmtest.Command{Options: []string{"-Xmx64m"}, Classpath: []string{classes}, Main: "Tiny",
			Args: []string{"1", "3"}}
		round, err := s.playTurns(jdk, command, 1, 3, variants)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range variants {
			if turn := round[v.name]; turn.Steady <= 0 || turn.Whole <= turn.Steady {
				t.Errorf("%s: %+v", v.name, turn)
			}
		}
		command.Main = "Nothing"
		if _, err := s.playTurns(jdk, command, 1, 3, variants[:1]); err == nil ||
			!strings.Contains(err.Error(), "Nothing") {
			t.Errorf("a program that does not start: %v", err)
		}
	})
}

func TestContextsTable(t *testing.T) {
	f := measured()
	order, cells := bySetting(f.Cells)
	if table := contextsTable(order[0], cells[order[0]]); table != nil {
		t.Errorf("a table without contexts: %v", table)
	}
	for _, round := range cells[order[0]][0].Rounds {
		round[mallardContexts] = Run{Seconds: 3, CPU: 4.5, Steady: 1.5, Memory: 120, Recorder: 60}
		round[everyObject] = Run{Seconds: 20, CPU: 22, Steady: 9, Memory: 110}
	}
	text := fmt.Sprint(contextsTable(order[0], cells[order[0]]))
	for _, want := range []string{"| fop |", "1.50", "9.00", "1.20"} {
		if !strings.Contains(text, want) {
			t.Errorf("the table does not have %q:\n%s", want, text)
		}
	}
}
