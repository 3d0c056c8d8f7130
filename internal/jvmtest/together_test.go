package jvmtest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
)

// TestDivide: each program's output is what stands behind its line, and one that was not reached has none.
func TestDivide(t *testing.T) {
	got := jvmtest.Divide(jvmtest.Output{ExitCode: 3, Stdout: "before\n-------- A\n1\n2\n-------- B\n",
		Stderr: "-------- A\n-------- B\nat B\n"})
	want := map[string]jvmtest.Output{"": {Stdout: "before\n", ExitCode: 3}, "A": {Stdout: "1\n2\n", ExitCode: 3},
		"B": {Stderr: "at B\n", ExitCode: 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestTogether: programs that run one after the other print what each prints in a JVM of its own.
func TestTogether(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		programs, together := jvmtest.Together(t, jdk)
		outputs := jvmtest.Divide(jvmtest.RunPlain(t, jdk, together))
		for _, program := range programs {
			got, want := outputs[program.Name], jvmtest.RunPlain(t, jdk, program.Command(t, jdk))
			if got.Stdout != want.Stdout || got.Stderr != want.Stderr || got.ExitCode != want.ExitCode {
				t.Errorf("%s: exit code %d, prints\n%s%s\nnot %d and\n%s%s", program.Name, got.ExitCode, got.Stdout,
					got.Stderr, want.ExitCode, want.Stdout, want.Stderr)
			}
		}
	})
}
