package objects_test

import (
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
					// where G1 has to leave old objects where they are, those it had copied by then are there twice
					if collector != "G1" || end != "no room to survive" {
						checkHeap(t, jdk, history)
					}
				})
			}
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
