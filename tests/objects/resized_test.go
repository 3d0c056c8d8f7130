package objects_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// withLog has a JVM write its own log, of collections and of what else is named, and gives what reads it when the JVM
// has ended.
func withLog(t *testing.T, command *jvmtest.Command, also ...string) (read func() string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "gc.log")
	command.Options = append(command.Options, "-Xlog:"+strings.Join(append(also, "gc*"), ",")+":file="+file)
	return func() string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

// TestResized has a program set options of its JVM while it fills its heap and empties it: the JVM really gives memory
// back and takes it again, collects since time has passed, and dumps its heap before and behind a collection. Births,
// and what is held, are what the program says.
func TestResized(t *testing.T) {
	const rounds, objects = 3, 200_000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			for k, flags := range [][]string{nil, {"--each-object"}} {
				if k > 0 && (collector != "G1" || !jvmtest.IsTurn(t, jdk, i)) {
					continue
				}
				t.Run(strings.Join(append(flags, collector), " "), func(t *testing.T) {
					folder := t.TempDir()
					command := mallardtest.Compiled(t, jdk, "Resizes")
					command.Options = []string{"-XX:+Use" + collector + "GC", "-Xms8m", "-Xmx160m", noDead,
						"-XX:-ShrinkHeapInSteps", "-XX:+UseAdaptiveSizePolicyWithSystemGC"}
					command.Args = []string{strconv.Itoa(rounds), strconv.Itoa(objects), folder}
					log := withLog(t, &command)
					history, p, output := recordedBoth(t, jdk, command, flags...)
					if output.ExitCode != 0 {
						t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
					}
					checkResized(t, output.Stdout, rounds, collector == "Parallel")
					if dumps, _ := filepath.Glob(filepath.Join(folder, "*.hprof*")); len(dumps) != 2 {
						t.Errorf("heap dumps: %q", dumps)
					}
					periodic := strings.Contains(log(), "G1 Periodic Collection")
					if periodic != (collector == "G1") {
						t.Errorf("there are periodic collections: %t", periodic)
					}
					checkHeap(t, jdk, history)
					history = history.BySites(p.Tagged)
					if flags == nil { // single objects know more of sites than sums
						checkHeap(t, jdk, history)
					}
					checkOneSite(t, history, "Resizes$Item", "fill", rounds*objects, rounds*objects/1000)
					checkOneSite(t, history, "Resizes$Part", "fill", rounds*objects, rounds*objects/1000)
					checkOneSite(t, history, "Resizes$Kept", "keepSome", rounds*objects/1000, rounds*objects/1000)
				})
			}
		}
	})
}

// checkResized looks at the memory that the JVM had when its heap was full, nearly empty while it was to keep what it
// had, and when it was to give it back. Parallel may give back some by itself.
func checkResized(t *testing.T, stdout string, rounds int, byItself bool) {
	t.Helper()
	committed := map[string][]int64{}
	for line := range strings.Lines(stdout) {
		var when string
		var bytes int64
		if n, _ := fmt.Sscan(line, &when, &bytes); n == 2 { // else it says that it dumps its heap
			committed[when] = append(committed[when], bytes)
		}
	}
	full, large, empty := committed["full"], committed["large"], committed["empty"]
	if len(full) != rounds || len(large) != rounds || len(empty) != rounds {
		t.Fatalf("that is not what the program says:\n%s", stdout)
	}
	for i := range rounds {
		if !byItself && (large[i] < full[i] || empty[i] >= large[i]) || empty[i] > full[i]*3/4 {
			t.Errorf("of %d committed bytes %d stayed as they were to, and %d when they were not", full[i], large[i],
				empty[i])
		}
		if i > 0 && full[i] < empty[i-1]*5/4 {
			t.Errorf("%d bytes are committed when the heap is full, %d before", full[i], empty[i-1])
		}
	}
}
