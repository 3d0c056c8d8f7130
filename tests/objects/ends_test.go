package objects_test

import (
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestEnds has programs use their heap hard, and end meanwhile: they do as without Mallard, and what was recorded adds
// up.
func TestEnds(t *testing.T) {
	ends := []string{"full", "collected all the time", "no room to survive", "exit", "halt"}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			for k, end := range ends {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				t.Run(collector+" "+end, func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "HeapEnds")
					command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx70m"}
					command.Args = []string{end}
					plain := jdk.MustRun(t, command)
					history, output := recordedHeap(t, jdk, command)
					mallardtest.CompareOutput(t, plain, output)
					checkHeap(t, jdk, history)
				})
			}
		}
	})
}

// TestCrowded: where a collection of old regions of G1's has no room for what it moves, it leaves some objects where
// they are. What it has copied by then is not there twice: what the program keeps for ever is what is held, always.
func TestCrowded(t *testing.T) {
	const kept, replaced = 100_000, 2_000_000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, flags := range [][]string{nil, {"--each-object"}} {
			t.Run(strings.Join(flags, " "), func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Crowded")
				command.Options = []string{"-XX:+UseG1GC", "-Xmx64m", "-Xmn4m", "-XX:+UnlockExperimentalVMOptions",
					"-XX:G1HeapRegionSize=1m", "-XX:InitiatingHeapOccupancyPercent=5", "-XX:-G1UseAdaptiveIHOP",
					"-XX:G1MixedGCLiveThresholdPercent=100", "-XX:G1HeapWastePercent=0", "-XX:G1ReservePercent=0",
					"-XX:MaxTenuringThreshold=1"}
				command.Args = []string{strconv.Itoa(kept), strconv.Itoa(replaced)}
				history, _, output := recordedBoth(t, jdk, command, flags...)
				if output.ExitCode != 0 {
					t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
				}
				checkHeap(t, jdk, history)
				timeline := history.Timeline(heap.Query{})
				mixed, all := int64(0), false
				for _, p := range timeline.Points {
					mixed += p.Kinds[heap.MixedPause]
				}
				for _, course := range timeline.Courses {
					if history.Name(course.Class) != "Crowded$Kept" {
						continue
					}
					for _, c := range course.Changes {
						all = all || c.Born.Objects == kept
						if all && c.Held.Objects != kept {
							t.Errorf("pause %d: %d of the %d that are kept are held",
								timeline.Points[c.Point].Pause, c.Held.Objects, kept)
						}
					}
				}
				t.Logf("%d pauses, %d of them mixed", len(history.Pauses), mixed)
				if history.HasSingles() {
					answer, err := history.Objects(len(history.Pauses)-1, heap.Query{Class: "Crowded$Kept"})
					if err != nil {
						t.Fatal(err)
					}
					for _, o := range answer.Rows {
						if o.Order == 0 || o.Born < 0 {
							t.Fatalf("nobody knows what %+v is", o)
						}
					}
					if answer.Count != kept || answer.Gaps.Failed != 0 {
						t.Errorf("%d are known, %+v", answer.Count, answer.Gaps)
					}
				}
				if !all || mixed == 0 {
					t.Errorf("all were born: %t; %d mixed collections", all, mixed)
				}
			})
		}
	})
}

// TestKilled: what was recorded until a JVM was killed is there.
func TestKilled(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "HeapEnds")
		command.Options, command.Args = []string{"-XX:+UseSerialGC", "-Xmx64m"}, []string{"kill"}
		command, file := mallardtest.Profiled(t, command, "-q", "--track", "objects", "--references", "end")
		process := mallardtest.Spawn(t, jdk, command)
		process.Line()
		if err := unix.Kill(process.Child(), unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		process.Wait()
		events := profile.Events{heap.Observer: nil}
		mallardtest.Read(t, file, events)
		history := heap.NewHistory(events[heap.Observer])
		if len(history.Pauses) < 10 {
			t.Errorf("%d pauses were recorded", len(history.Pauses))
		}
		checkHeap(t, jdk, history)
	})
}

// TestRefused: where the heap cannot be read, a loss says what to change, and all else is recorded.
func TestRefused(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, refused := range []struct {
			options, change string
			since           int
		}{
			{"-XX:+UseZGC", "-XX:+UseG1GC", 17},
			{"-XX:+UseShenandoahGC", "-XX:+UseG1GC", 17},
			{"-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC -Xmx300m", "-XX:+UseG1GC", 17},
			{"-XX:+UseParallelGC -XX:+UseNUMA", "", 17}, // where there is one node, it is not used
			{"-XX:-UseCompressedClassPointers", "-XX:+UseCompressedClassPointers", 17},
			{"-XX:ObjectAlignmentInBytes=16", "-XX:ObjectAlignmentInBytes=8", 17},
			{"-XX:+UseCompactObjectHeaders", "-XX:-UseCompactObjectHeaders", 25},
		} {
			if jdk.Feature < refused.since || (refused.since == 17 && !jvmtest.IsTurn(t, jdk, i)) {
				continue
			}
			t.Run(refused.options, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "HeapEnds")
				command.Options, command.Args = strings.Fields(refused.options), []string{"collected all the time"}
				if jdk.MustRun(t, jvmtest.Command{Options: append(command.Options, "-version")}).ExitCode != 0 {
					jvmtest.Missing(t, "this JDK does not have that option")
				}
				command, file := mallardtest.Profiled(t, command, "-q", "--track", "sites,objects", "--references",
					"end")
				if output := jdk.MustRun(t, command); output.ExitCode != 0 {
					t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
				}
				p := mallardtest.Read(t, file)
				said := ""
				for _, loss := range p.Losses {
					if loss.Kind == "references" {
						t.Errorf("what is wrong is said twice: %s", loss.Detail)
					}
					if loss.Kind == heap.Observer {
						said += loss.Detail
					}
				}
				if !strings.Contains(said, refused.change) || (refused.change == "") != (said == "") {
					t.Errorf("said %q, which has to name %q", said, refused.change)
				}
				if !p.Complete || p.Total.Objects < 300 {
					t.Errorf("complete %v, %d objects", p.Complete, p.Total.Objects)
				}
			})
		}
	})
}
