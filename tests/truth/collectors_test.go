package truth_test

import (
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestCollectors compares counts with the oracle's under each collector, compiled: code and barriers are others, and
// objects may move while they are counted. Programs allocate, move and let go of objects of all kinds, in many threads.
func TestCollectors(t *testing.T) {
	collectors := []string{"Serial", "Parallel", "Shenandoah", "Z", "G1"}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		programs, command := jvmtest.Together(t, jdk, "ArrayKinds", "ManyThreads", "NestedExceptions", "Strings",
			"Containers")
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(collector, func(t *testing.T) {
				command := command
				if collector == "Z" { // objects are larger
					command.Options = []string{"-XX:-UseCompressedOops"}
				}
				truth := jvmtest.RunOracle(t, jdk, command)
				command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m"}
				if jdk.MustRun(t, jvmtest.Command{Options: append(command.Options, "-version")}).ExitCode != 0 {
					jvmtest.Missing(t, "this JDK does not have that collector")
				}
				output, p := mallardtest.Record(t, jdk, command)
				if output.ExitCode != 0 || !p.Complete {
					t.Fatalf("exit code %d, complete %v\n%s", output.ExitCode, p.Complete, output.Stderr)
				}
				for _, program := range programs {
					compareSites(t, program, p, truth)
				}
			})
		}
	})
}
