package session_test

import (
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/profile/stacktest"
)

// manyEpochs makes an epoch begin whenever a call is new.
func manyEpochs(t *testing.T) { t.Setenv("MALLARD_EPOCHS", "1") }

// TestEpochs compares stacks with the JVM's while calls get other constants all the time: through recursion, exceptions, threads that change carriers, classes that
// are loaded and unloaded, and calls out of native code.
func TestEpochs(t *testing.T) {
	manyEpochs(t)
	programs := []string{"Initializers", "Lambdas", "NestedExceptions", "Pools", "Recursion", "UnloadedClasses", "VirtualThreads"}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, program := range jvmtest.Programs(t) {
			if !slices.Contains(programs, program.Name) {
				continue
			}
			t.Run(program.Name, func(t *testing.T) {
				stacktest.Run(t, jdk, program.Command(t, jdk), []string{"--contexts", "encoded"}, func(trace []string) bool {
					return slices.ContainsFunc(trace, func(frame string) bool { return program.Declares(classOf(frame)) })
				})
			})
		}
	})
}

// TestRedefinedContexts: stacks are the JVM's when every class is retransformed, and one redefined, between runs of the same code.
func TestRedefinedContexts(t *testing.T) {
	manyEpochs(t)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := compiled(t, jdk, "Redefiner")
		command.Options = []string{"-javaagent:" + agentJar(t, "Redefiner")}
		for _, shape := range []string{"hashed", "encoded", "tree"} {
			t.Run(shape, func(t *testing.T) {
				output, r := stacktest.Run(t, jdk, command, []string{"--contexts", shape}, func(trace []string) bool {
					return slices.ContainsFunc(trace, func(frame string) bool { return strings.HasPrefix(frame, "Redefiner$Redefined.") })
				})
				if output.ExitCode != 0 || r.Objects < 4000 {
					t.Errorf("exit code %d, %d objects, stderr:\n%s", output.ExitCode, r.Objects, output.Stderr)
				}
			})
		}
	})
}

// TestEncodedRedefinition: every class is retransformed, and one redefined, while it has constants.
func TestEncodedRedefinition(t *testing.T) {
	manyEpochs(t)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		m := redefined(t, jdk, "--track", "contexts", "--contexts", "encoded").ContextTotals
		if m == nil || m.Pairs == 0 || m.Epochs < 3 || m.Calls < 100 || m.Anchors == 0 || m.GraphBytes+m.AnchorBytes > m.Bytes {
			t.Errorf("%+v", m)
		}
	})
}
