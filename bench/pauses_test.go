package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
)

// safepointLines are of JDK 17 with G1, Parallel and Serial, and of 25 with the same.
const safepointLines = `` +
	`[1000ms] Safepoint "G1CollectForAllocation", Time since last: 123774943 ns, Reaching safepoint: 6722 ns, ` +
	`Cleanup: 9739 ns, At safepoint: 2594751 ns, Total: 2611212 ns
[2000ms] Safepoint "ParallelGCSystemGC", Time since last: 1025283 ns, Reaching safepoint: 2233 ns, ` +
	`Cleanup: 3767 ns, At safepoint: 20851147 ns, Total: 20857147 ns
[3000ms] Safepoint "GenCollectFull", Time since last: 1435423 ns, Reaching safepoint: 2816 ns, ` +
	`Cleanup: 4177 ns, At safepoint: 16390573 ns, Total: 16397566 ns
[4000ms] Safepoint "ThreadDump", Time since last: 3233478 ns, Reaching safepoint: 39625 ns, ` +
	`Cleanup: 3196 ns, At safepoint: 38834 ns, Total: 81655 ns
[5000ms] Safepoint "G1PauseCleanup", Time since last: 401084 ns, Reaching safepoint: 129226 ns, ` +
	`At safepoint: 14699 ns, Leaving safepoint: 4598 ns, Total: 148523 ns, Threads: 1 runnable, 10 total
[6000ms] Safepoint "ParallelCollectForAllocation", Time since last: 96320743 ns, Reaching safepoint: 4007 ns, ` +
	`At safepoint: 6088685 ns, Leaving safepoint: 3106 ns, Total: 6095798 ns, Threads: 0 runnable, 10 total
[7000ms] Safepoint "SerialGCCollect", Time since last: 1180198 ns, Reaching safepoint: 1082 ns, ` +
	`At safepoint: 21339205 ns, Leaving safepoint: 3768 ns, Total: 21344055 ns, Threads: 0 runnable, 10 total
`

// TestReadSafepoints reads pauses, and no line that is cut off.
func TestReadSafepoints(t *testing.T) {
	folder := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(folder, safepointLog), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(safepointLines)
	list, err := readSafepoints(folder)
	if err != nil {
		t.Fatal(err)
	}
	want := []safepoint{{1000, "G1CollectForAllocation", 2594751}, {2000, "ParallelGCSystemGC", 20851147},
		{3000, "GenCollectFull", 16390573}, {4000, "ThreadDump", 38834}, {5000, "G1PauseCleanup", 14699},
		{6000, "ParallelCollectForAllocation", 6088685}, {7000, "SerialGCCollect", 21339205}}
	if !slices.Equal(list, want) {
		t.Errorf("%v, want %v", list, want)
	}
	write(safepointLines[:len(safepointLines)-120])
	if _, err := readSafepoints(folder); err == nil {
		t.Error("a line that is cut off is no error")
	}
}

func TestCollects(t *testing.T) {
	for _, operation := range []string{"G1CollectForAllocation", "G1CollectFull", "G1PauseRemark", "G1PauseCleanup",
		"G1Concurrent", "G1TryInitiateConcMark", "GenCollectForAllocation", "GenCollectFull",
		"SerialCollectForAllocation", "SerialGCCollect", "ParallelGCFailedAllocation", "ParallelGCSystemGC",
		"ParallelCollectForAllocation", "ParallelGCCollect", "CollectForMetadataAllocation",
		"CollectForCodeCacheAllocation"} {
		if !collects(operation) {
			t.Errorf("%s is no collection", operation)
		}
	}
	for _, operation := range []string{"ThreadDump", "RedefineClasses", "HeapIterateOperation", "Cleanup",
		"G1RendezvousGCThreads", "GetAllStackTraces"} {
		if collects(operation) {
			t.Errorf("%s is a collection", operation)
		}
	}
}

func TestSumPauses(t *testing.T) {
	list := []safepoint{{10, "GenCollectForAllocation", 2 * time.Second}, {20, "ThreadDump", time.Second},
		{30, "GenCollectForAllocation", 4 * time.Second}, {31, "GenCollectFull", 3 * time.Second}}
	got := sumPauses(list, 20, 30)
	want := &Pauses{
		Whole: PausesByOperation{"GenCollectForAllocation": {2, 6, 4}, "ThreadDump": {1, 1, 1},
			"GenCollectFull": {1, 3, 3}},
		Steady: PausesByOperation{"GenCollectForAllocation": {1, 4, 4}, "ThreadDump": {1, 1, 1}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if all := got.Whole.all(); all != (Paused{4, 10, 4}) {
		t.Errorf("all: %+v", all)
	}
	if collections := got.Whole.collections(); collections != (Paused{3, 9, 4}) {
		t.Errorf("collections: %+v", collections)
	}
}

// samplePauses are of a JVM with two collections and something else, which takes more the larger the factor is.
func samplePauses(factor float64) *Pauses {
	return &Pauses{
		Whole: PausesByOperation{"GenCollectForAllocation": {2, 0.2 * factor, 0.15 * factor * factor},
			"ThreadDump": {3, 0.3 * (factor - 1), 0.01}},
		Steady: PausesByOperation{"GenCollectForAllocation": {1, 0.15 * factor * factor, 0.15 * factor * factor}},
	}
}

// TestPausesTable has rounds to take medians of, a program without collections, and a variant that not all have.
func TestPausesTable(t *testing.T) {
	row := func(workload string, rounds ...map[string]Turn) Turns {
		for _, round := range rounds {
			for name, turn := range round {
				turn.Whole = 1
				round[name] = turn
			}
		}
		return Turns{subject{"17.0.1", workload}, "Serial", rounds}
	}
	idle := &Pauses{Whole: PausesByOperation{"ThreadDump": {1, 0.001, 0.001}}}
	tables := pausesTables("pauses", []Turns{
		row("fop", map[string]Turn{plain: {Pauses: samplePauses(1)}, mallard: {Pauses: samplePauses(1.2)},
			mallardObjects: {Pauses: samplePauses(2)}},
			map[string]Turn{plain: {Pauses: samplePauses(1)}, mallard: {Pauses: samplePauses(1)},
				mallardObjects: {Pauses: samplePauses(2)}}),
		row("batik", map[string]Turn{plain: {Pauses: idle}, mallard: {Pauses: samplePauses(1)},
			mallardObjects: {Pauses: idle}}),
		row("xalan", map[string]Turn{plain: {Pauses: samplePauses(1)}, mallardObjects: {Pauses: samplePauses(2)}}),
	})
	if len(tables) != 1 || tables[0].name != "pauses-17.0.1-Serial" {
		t.Fatalf("tables: %v", tables)
	}
	text := tables[0].String()
	for _, want := range []string{
		"| program | rounds | pauses | seconds | longest, ms | all: mallard | all: mallard-objects | longest: mallard ",
		"| fop | 2 | 5 | 0.200 | 150.0 | 1.25 (1.00–1.50) | 3.50 | 1.22 (1.00–1.44) | 4.00 " +
			"| 1.10 (1.00–1.20) | 2.00 | 1.22 (1.00–1.44) | 4.00 |",
		"| batik | 1 | 1 | 0.001 | 1.0 |  |  |  |  |  |  |  |  |",
		"| xalan | 1 | 5 | 0.200 | 150.0 |  | 3.50 |  | 4.00 |  | 2.00 |  | 4.00 |",
		"| geometric mean |  |  |  |  | 1.250 | 3.500 | 1.220 | 4.000 | 1.100 | 2.000 | 1.220 | 4.000 |",
		// 0.25 and 0.2 s of 0.2 and 0.001 s; 0.7, 0.001 and 0.7 s of 0.2, 0.001 and 0.2 s
		"programs together: 2.24 with mallard, 3.49 with mallard-objects.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// TestPausesInTurns has JVMs of each JDK and collector log their safepoints while they take turns.
func TestPausesInTurns(t *testing.T) {
	root := jvmtest.MustRoot(t)
	binary := filepath.Join(root, "bin", "mallard")
	s := &session{builds: builds{root, binary, binary}, short: true}
	both := []variant{variants[0], variants[1]}
	for i := range both {
		both[i].safepoints = true
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := jdk.MustJavac(t, nil, filepath.Join(root, "bench", "testdata", "Tiny.java"),
			filepath.Join(root, "bench", "workloads", "Workload.java"))
		for _, collector := range collectors {
			command := jvmtest.Command{Options: []string{"-Xmx16m", "-Xmn1m", "-XX:+Use" + collector + "GC"},
				Classpath: []string{classes}, Main: "Tiny", Args: []string{"1", "100"}}
			round, err := s.playTurns(jdk, command, 1, 100, both)
			if err != nil {
				t.Fatalf("%s: %v", collector, err)
			}
			for _, v := range both {
				whole, steady := round[v.name].Pauses.Whole.collections(), round[v.name].Pauses.Steady.all()
				if whole.Count == 0 || steady.Count == 0 || whole.Longest <= 0 || whole.Seconds < whole.Longest {
					t.Errorf("%s, %s: %+v, steady %+v", collector, v.name, whole, steady)
				}
			}
		}
	})
}
