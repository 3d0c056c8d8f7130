// Package objects_test holds what is recorded of objects against programs that know what they make, and against the
// JVM's own figures.
package objects_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// collectors are those whose heaps are read.
var collectors = []string{"Serial", "Parallel", "G1"}

// recordedHeap runs a program, and gives what was recorded of its heap.
func recordedHeap(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command) (*heap.History, jvmtest.Output) {
	t.Helper()
	history, _, output := recordedBoth(t, jdk, command)
	return history, output
}

// recordedBoth gives what was counted as well.
func recordedBoth(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, flags ...string) (*heap.History,
	*profile.Profile, jvmtest.Output) {
	t.Helper()
	return recordedAll(t, jdk, command, append([]string{"sites,objects"}, flags...)...)
}

// recordedAll gives what was recorded with a list of what to track, and other flags.
func recordedAll(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, track ...string) (*heap.History,
	*profile.Profile, jvmtest.Output) {
	t.Helper()
	events := profile.Events{heap.Observer: nil}
	command, file := mallardtest.Profiled(t, command, append([]string{"-q", "--track"}, track...)...)
	output := jdk.MustRun(t, command)
	p := mallardtest.Read(t, file, events)
	if !p.Complete {
		t.Fatalf("incomplete: %s\n%s", p.Reason, output.Stderr)
	}
	return heap.NewHistory(events[heap.Observer]), p, output
}

// checkHeap holds what was recorded to what the JVM says is used, and births to deaths.
func checkHeap(t *testing.T, jdk jvmtest.JDK, history *heap.History) {
	t.Helper()
	check := history.Check(jdk.Feature)
	for _, v := range check.Violations {
		t.Errorf("pause %d: %s", v.Pause, v.What)
	}
	if check.Walks < 5 {
		t.Errorf("%d walks are nothing to check", check.Walks)
	}
}

// held gives the objects that were in the heap at a moment, by class.
func held(h *heap.History, moment int) map[string]heap.Amount {
	objects := map[string]heap.Amount{}
	for _, row := range h.Held(moment, heap.Query{By: []heap.By{heap.ByClass}}).Rows {
		objects[h.Name(row.Class)] = row.Amount
	}
	return objects
}

// born gives the objects that were born in all, by class.
func born(t *testing.T, h *heap.History) map[string]heap.Amount {
	t.Helper()
	objects := map[string]heap.Amount{}
	for _, row := range inAll(t, h, heap.ByClass) {
		objects[h.Name(row.Class)] = row.Born
	}
	return objects
}

// inAll gives rows of all the time until the end.
func inAll(t *testing.T, h *heap.History, by heap.By) []heap.DiffRow {
	t.Helper()
	end, err := h.End()
	if err != nil {
		t.Fatal(err)
	}
	return h.Diff(heap.Start, end, heap.Query{By: []heap.By{by}}).Rows
}

// checkSite: so many objects of a class were born at the sites of a method, but for some that may be missing, as they
// died before it was known what made them; and so many are held at the end.
func checkSite(t *testing.T, h *heap.History, class, method string, born, missing, held int64) {
	t.Helper()
	var of heap.DiffAmounts
	for _, row := range inAll(t, h, heap.BySite) {
		if site := h.Site(row.Class); site != nil && site.Method == method && h.Name(row.Class) == class {
			of.Born = heap.Sum(of.Born, row.Born)
			of.After = heap.Sum(of.After, row.After)
		}
	}
	if n := of.Born.Objects; n > born || n < born-missing {
		t.Errorf("%s: %d were born in %s, want %d", class, n, method, born)
	}
	if n := of.After.Objects; n != held {
		t.Errorf("%s: %d made in %s are held, want %d", class, n, method, held)
	}
}

// heaps are options that make heaps of all kinds, by collector.
var heaps = map[string][][]string{
	"Serial": {{"-Xmx64m"}, {"-Xmx64m", "-XX:-UseTLAB"}, {"-Xmx160m", "-Xmn8m"},
		{"-Xmx120m", "-Xms20m", "-XX:MinHeapFreeRatio=10", "-XX:MaxHeapFreeRatio=20"},
		{"-Xmx64m", "-XX:StartFlightRecording=settings=profile,filename=/dev/null", "-Xlog:jfr+startup=off"}},
	"Parallel": {{"-Xmx64m"}, {"-Xmx200m", "-XX:-UseAdaptiveSizePolicy", "-XX:+IgnoreUnrecognizedVMOptions",
		"-XX:+UnlockDiagnosticVMOptions", "-XX:+UseObjectMonitorTable"}, {"-Xmx64m", "-XX:-UseCompressedOops"},
		{"-Xmx120m", "-Xms20m", "-XX:MinHeapFreeRatio=10", "-XX:MaxHeapFreeRatio=20"}},
	"G1": {{"-Xmx64m"}, {"-Xmx64m", "-XX:G1HeapRegionSize=1m", "-XX:-G1UseAdaptiveIHOP",
		"-XX:InitiatingHeapOccupancyPercent=5"}, {"-Xmx200m", "-XX:ParallelGCThreads=1", "-XX:TLABSize=4k"},
		{"-Xmx120m", "-XX:+UseStringDeduplication", "-XX:G1PeriodicGCInterval=100", "-XX:MaxTenuringThreshold=1"}},
}

// TestBirths holds births, and what is left after a full collection, against a program that knows them.
func TestBirths(t *testing.T) {
	const threads, times, rounds = 3, 12, 20_000
	want := map[string]int64{"Dead": rounds, "Short": rounds, "Kept": rounds / 200, "Hashed": rounds / 200,
		"Locked": rounds / 200}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range collectors {
			for i, options := range heaps[collector] {
				if !jvmtest.IsTurn(t, jdk, i) {
					continue
				}
				t.Run(collector+" "+strings.Join(options, " "), func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Born")
					// collections for metadata are announced twice, one inside the other
					command.Options = append(options, "-XX:+Use"+collector+"GC", "-XX:-DoEscapeAnalysis",
						"-XX:MetaspaceSize=1m")
					command.Args = []string{strconv.Itoa(threads), strconv.Itoa(times)}
					history, output := recordedHeap(t, jdk, command)
					if output.ExitCode != 0 {
						t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
					}
					checkHeap(t, jdk, history)
					all := born(t, history)
					for class, n := range want {
						if got := all["Born$"+class].Objects; got != n*threads*times {
							t.Errorf("%s: %d were born, want %d", class, got, n*threads*times)
						}
					}
					if got := all["double[]"].Objects; got < threads*times {
						t.Errorf("%d large arrays were born, want %d", got, threads*times)
					}
					left := held(history, len(history.Pauses)-2)
					if got := left["Born$Kept"].Objects; got != want["Kept"]*threads*times {
						t.Errorf("%d are kept, want %d", got, want["Kept"]*threads*times)
					}
					if got := left["Born$Dead"].Objects + left["Born$Short"].Objects; got != 0 {
						t.Errorf("%d that are dead are held", got)
					}
				})
			}
		}
	})
}

// TestForged holds births against a program with arrays whose elements look like objects: where a walk guesses that an
// object begins in the middle of eden, it is led astray, and must find that out before it counts or writes anything.
func TestForged(t *testing.T) {
	const arrays, between = 600, 4000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for collector, options := range map[string][]string{"Serial": nil, "Parallel": nil,
			"G1": {"-XX:G1HeapRegionSize=8m"}} {
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Forged")
				command.Options = append(options, "-XX:+Use"+collector+"GC", "-Xmx120m")
				command.Args = []string{strconv.Itoa(arrays), strconv.Itoa(between)}
				history, output := recordedHeap(t, jdk, command)
				if output.ExitCode != 0 || !strings.HasSuffix(output.Stdout, ", 0 have changed\n") {
					t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
				}
				checkHeap(t, jdk, history)
				all := born(t, history)
				if got := all["Forged$Real"].Objects; got != arrays*between {
					t.Errorf("%d were born, want %d", got, arrays*between)
				}
				if got := all["long[]"].Objects; got < arrays || got > arrays+1000 {
					t.Errorf("%d arrays were born, want %d", got, arrays)
				}
			})
		}
	})
}

// TestHistogram holds what is left of each class after a full collection against the JVM's own histogram.
func TestHistogram(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range collectors {
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Histogram")
				command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx48m"}
				history, output := recordedHeap(t, jdk, command)
				checkHeap(t, jdk, history)
				compareHistogram(t, history, output.Stdout)
			})
		}
	})
}

// compareHistogram holds what the last full collection has left to a histogram that it was for.
func compareHistogram(t *testing.T, history *heap.History, stdout string) {
	t.Helper()
	want := readHistogram(t, stdout)
	moment := -1
	for i, p := range history.Pauses {
		if p.Collected == heap.Everything {
			moment = i
		}
	}
	if moment < 0 {
		t.Fatal("there is no full collection")
	}
	got := held(history, moment)
	for class, a := range want {
		if got[class] != a {
			t.Errorf("%s: %v are left, the JVM has %v", class, got[class], a)
		}
	}
	for class, a := range got {
		if _, ok := want[class]; !ok {
			t.Errorf("%s: %v are left, the JVM has none", class, a)
		}
	}
}

// readHistogram reads the lines of a class histogram: number, instances, bytes, class.
func readHistogram(t *testing.T, text string) map[string]heap.Amount {
	t.Helper()
	objects := map[string]heap.Amount{}
	for line := range strings.Lines(text) {
		var number, class string
		var a heap.Amount
		if n, _ := fmt.Sscan(line, &number, &a.Objects, &a.Bytes, &class); n == 4 && strings.HasSuffix(number, ":") {
			name := jvmtest.JavaType(class)
			if name == "jdk.internal.vm.FillerElement[]" {
				name, a.Objects = "(unused)", 0
			}
			sum := objects[name]
			objects[name] = heap.Amount{Objects: sum.Objects + a.Objects, Bytes: sum.Bytes + a.Bytes}
		}
	}
	if len(objects) < 50 {
		t.Fatalf("that is no histogram:\n%s", text)
	}
	return objects
}
