package compat_test

import (
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/profile/stacktest"
)

// TestRedefiningAgent has a Java agent beside ours that transforms all classes, and redefines one before and after it
// has run.
func TestRedefiningAgent(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) { redefined(t, jdk) })
}

// redefined runs a program with such an agent, sees to it that it does what it does without and that all it makes is
// counted, and gives the recording.
func redefined(t *testing.T, jdk jvmtest.JDK, flags ...string) *profile.Profile {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "Redefiner")
	command.Options = []string{"-javaagent:" + jvmtest.AgentJar(t, "Redefiner")}
	command, file := mallardtest.Profiled(t, command, append(flags, "-q")...)
	output := jdk.MustRun(t, command)
	if output.Stdout != "sum 58688\n" || output.ExitCode != 0 || output.Stderr != "" {
		t.Fatalf("%q, exit code %d, stderr:\n%s", output.Stdout, output.ExitCode, output.Stderr)
	}
	if n := mallardtest.Objects(t, file, "Redefiner$Redefined", "int[]"); n != 4000 {
		t.Errorf("%d arrays, want 4000", n)
	}
	return mallardtest.Read(t, file)
}

// TestRedefinedContexts: stacks are the JVM's when every class is retransformed, and one redefined, between runs of the
// same code.
func TestRedefinedContexts(t *testing.T) {
	mallardtest.ManyEpochs(t)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "Redefiner")
		command.Options = []string{"-javaagent:" + jvmtest.AgentJar(t, "Redefiner")}
		for i, representation := range []string{"hashed", "encoded", "tree"} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(representation, func(t *testing.T) {
				output, r := stacktest.Run(t, jdk, command, []string{"--contexts", representation},
					func(trace []string) bool {
						return slices.ContainsFunc(trace, func(frame string) bool {
							return strings.HasPrefix(frame, "Redefiner$Redefined.")
						})
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
	mallardtest.ManyEpochs(t)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		m := redefined(t, jdk, "--track", "contexts", "--contexts", "encoded").ContextTotals
		if m == nil || m.Pairs == 0 || m.Epochs < 3 || m.Calls < 100 || m.Anchors == 0 ||
			m.GraphBytes+m.AnchorBytes > m.Bytes {
			t.Errorf("%+v", m)
		}
	})
}
