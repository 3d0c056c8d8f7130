package contexts_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

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
