package main

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/profile/stacktest"
)

// TestContextsOfWorkloads runs the workloads with contexts, and compares all stacks at which they allocate, or the JDK
// does on their behalf, with those that the JVM has at each allocation: one iteration, in all representations. Their
// libraries must be installed: `make bench-install`. One run, for which -run names JDK, workload and representation,
// takes minutes: TestContextsOfWorkloads/jdk25/h2/hashed. Fewer with MALLARD_PARTS=10, of which an iteration of h2,
// hsqldb, lucene and sunflow does one.
func TestContextsOfWorkloads(t *testing.T) {
	if os.Getenv("MALLARD_LONG") == "" {
		t.Skip("takes an hour and a half; set MALLARD_LONG")
	}
	var objects int64
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, w := range workloads {
			t.Run(w.Name, func(t *testing.T) {
				if !w.runsOn(jdk) {
					t.Skipf("%s works on JDK %d and older", w.Name, w.Newest)
				}
				command, err := w.command(setting{jdk, collectors[0]}, jvmtest.MustRoot(t))
				if err != nil {
					t.Fatalf("%v; `go run ./bench -install` installs them", err)
				}
				command.Args = []string{"0", "1", cmp.Or(os.Getenv("MALLARD_PARTS"), "1")}
				command.Timeout = 3 * runLimit // the oracle walks the stack at each allocation
				for _, representation := range []string{"hashed", "encoded", "tree"} {
					t.Run(representation, func(t *testing.T) {
						output, result := stacktest.Run(t, jdk, command, []string{"--contexts", representation,
							"--context-memory", "4096"}, ofWorkload)
						if output.ExitCode != 0 {
							t.Errorf("exit code %d\n%s", output.ExitCode, output.Stderr)
						}
						objects += result.Objects
					})
				}
			})
		}
	})
	t.Logf("%d objects in all", objects)
}

// ofWorkload says whether a stack is of the workload: some frame is not the JDK's.
func ofWorkload(trace []string) bool {
	return slices.ContainsFunc(trace, func(frame string) bool {
		return !slices.ContainsFunc([]string{"java.", "jdk.", "sun.", "com.sun.", "["},
			func(prefix string) bool { return strings.HasPrefix(frame, prefix) })
	})
}
