package contexts_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/trace"
)

// TestExtremes: recursion 100,000 deep, many contexts, with memory for all of them and without, and many threads.
// Counts are whole each time.
func TestExtremes(t *testing.T) {
	depth, bits, threads := 100_000, 12, 300
	if os.Getenv("MALLARD_LONG") == "1" {
		bits, threads = 20, 10_000
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := mallardtest.Compiled(t, jdk, "Extremes").Classpath[0]
		command := jvmtest.Command{Classpath: []string{classes}, Main: "Extremes",
			Args: []string{fmt.Sprint(depth), fmt.Sprint(bits), fmt.Sprint(threads)}}
		for _, test := range []struct {
			representation string
			memory         int
		}{{"hashed", 1024}, {"hashed", 1}, {"encoded", 1024}, {"encoded", 1}} {
			representation, memory := test.representation, test.memory
			output, p := mallardtest.Record(t, jdk, command, "--track", "contexts", "--contexts", representation,
				"--context-memory", fmt.Sprint(memory))
			if output.Stdout != "done\n" || output.Stderr != "" || output.ExitCode != 0 {
				t.Errorf("%s, with %d MB the program exits with %d and prints %s%s", representation, memory,
					output.ExitCode,
					output.Stdout, output.Stderr)
			}
			for method, want := range map[string]int64{"down": 2, "spread": 1 << bits, "work": int64(threads)} {
				got := int64(0)
				for _, s := range p.Sites {
					if s.Class == "Extremes" && s.Method == method {
						got += s.Amount.Objects
					}
				}
				if got != want {
					t.Errorf("%s, with %d MB: %d arrays made by %s, want %d", representation, memory, got, method, want)
				}
			}
			short := slices.ContainsFunc(p.Losses, func(l trace.Loss) bool {
				return strings.Contains(l.Detail, "memory for more contexts")
			})
			if short != (memory == 1) {
				t.Errorf("%s, with %d MB the losses are %v", representation, memory, p.Losses)
			}
		}
	})
}

// TestGrowingContexts: while a program runs its recording says what was counted in contexts that are there already,
// and goes on doing so, although what has not changed is not recorded again.
func TestGrowingContexts(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"), "--track", "contexts")
		p := mallardtest.Spawn(t, jdk, command)
		for step := range int64(3) {
			p.Step()
			mallardtest.WaitUntil(t, file, func() bool {
				return mallardtest.Objects(t, file, "Steps", "int[]") == 1000*(step+1)
			})
		}
		p.End()
		if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 3000 {
			t.Errorf("%d arrays, want 3000", n)
		}
	})
}

// TestContextsOnBusyMachine: where the recorder gets a tenth of its time, as on a machine with much else to do,
// contexts are recorded as often as otherwise: to record 260,000 of them takes a small share of a processor. A machine
// that is busy already may give the recorder nothing for seconds: then it runs again.
func TestContextsOnBusyMachine(t *testing.T) {
	const (
		runs   = 3
		within = 5 * time.Second // where it is 2 s on an idle machine
	)
	if jvmtest.RaceDetector() {
		t.Skip("the recorder takes many times as long")
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		if !jvmtest.IsTurn(t, jdk, 0) {
			return
		}
		for range runs {
			marks := marksOnBusyMachine(t, jdk)
			longest := time.Duration(0)
			for i := range len(marks) - 1 {
				longest = max(longest, marks[i+1]-marks[i])
			}
			t.Logf("contexts were recorded at %v: up to %v apart", marks, longest)
			if longest <= within {
				return
			}
		}
		t.Errorf("they should be %v apart at most", within)
	})
}

// marksOnBusyMachine gives when contexts were recorded.
func marksOnBusyMachine(t *testing.T, jdk jvmtest.JDK) []time.Duration {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "Paths")
	command.Args = []string{"17"}
	command, file := mallardtest.Profiled(t, command, "--track", "contexts")
	p := mallardtest.Spawn(t, jdk, command)
	if line := p.Line(); line != "walked" {
		t.Fatalf("prints %q", line)
	}
	for started := time.Now(); time.Since(started) < 8*time.Second; {
		p.Stop()
		time.Sleep(90 * time.Millisecond)
		p.Continue()
		time.Sleep(10 * time.Millisecond)
	}
	if err := unix.Kill(p.Child(), unix.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.Wait()
	return contextMarks(t, file)
}

// contextMarks gives when a recording has the contexts of all threads.
func contextMarks(t *testing.T, file string) (marks []time.Duration) {
	t.Helper()
	mallardtest.EachRecord(t, file, func(record trace.Record) {
		if m, ok := record.(*trace.Mark); ok && m.Contexts {
			marks = append(marks, time.Duration(m.Nanos))
		}
	})
	return marks
}

// TestKilledWithContexts: the memory of contexts outlives the JVM.
func TestKilledWithContexts(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"), "--track", "contexts")
		p := mallardtest.Spawn(t, jdk, command)
		for range 3 {
			p.Step()
		}
		if err := unix.Kill(p.Child(), unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		p.Wait()
		if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 3000 {
			t.Errorf("%d arrays, want 3000", n)
		}
	})
}
