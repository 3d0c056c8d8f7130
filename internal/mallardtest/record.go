package mallardtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
)

// Recordings are read whole, one after the other: the test's own process collects less often.
func init() { debug.SetGCPercent(400) }

// Binary gives the binary that the Makefile built, and fails the test without it.
func Binary(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(jvmtest.MustRoot(t), "bin", "mallard")
	if _, err := os.Stat(binary); err != nil {
		t.Fatalf("%v; run make build first", err)
	}
	return binary
}

// Library gives what `mallard agentpath` prints.
func Library(t *testing.T) string {
	t.Helper()
	out, err := exec.Command(Binary(t), "agentpath").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// Record runs a command under mallard and folds what was recorded.
func Record(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command,
	flags ...string) (jvmtest.Output, *profile.Profile) {
	t.Helper()
	command, file := Recorded(t, command, flags...)
	output := jdk.MustRun(t, command)
	p, err := profile.Read(file)
	if err != nil {
		t.Fatalf("%v; stderr:\n%s", err, output.Stderr)
	}
	return output, p
}

// Recorded gives the command that runs a command under mallard, and the recording that it writes. The agent waits for
// answers however busy the machine is: what it does not wait for is not counted.
func Recorded(t *testing.T, command jvmtest.Command, flags ...string) (recorded jvmtest.Command, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "run.mallard")
	command.Wrap = slices.Concat([]string{Binary(t), "run", "-q", "-o", file, "--answer-within", "1m",
		"--exit-within", "1m"}, flags, []string{"--"})
	return command, file
}

// Variants are the ways to count that tests compare with the oracle. The last changes the placement of everything while
// the program runs.
var Variants = [][]string{{"--placement", "site"}, {"--placement", "ducktracks"}, {"--placement", "optimal"},
	{AdaptSoon}}

const AdaptSoon = "--adapt-soon"

// withoutLines leaves the source positions out of stack traces: the JVM knows none of a frame whose class was redefined
// while it was running, and --adapt-soon does that.
func withoutLines(trace string) string {
	return regexp.MustCompile(`(\tat .*)\(.*\)`).ReplaceAllString(trace, "$1")
}

// EachProgram runs a test with each test program on each JDK, and with what it prints without mallard.
func EachProgram(t *testing.T, test func(t *testing.T, jdk jvmtest.JDK, program jvmtest.Program,
	command jvmtest.Command, plain jvmtest.Output)) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, program := range jvmtest.Programs(t) {
			t.Run(program.Name, func(t *testing.T) {
				t.Parallel()
				command := program.Command(t, jdk)
				test(t, jdk, program, command, jvmtest.RunPlain(t, jdk, command))
			})
		}
	})
}

// CompareOutput holds what a program does while it is recorded against what it does without.
func CompareOutput(t *testing.T, plain, output jvmtest.Output) {
	t.Helper()
	if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr || output.ExitCode != plain.ExitCode {
		t.Errorf("the program exits with %d, not %d, and prints\n%s%s\nnot\n%s%s", output.ExitCode, plain.ExitCode,
			output.Stdout, output.Stderr, plain.Stdout, plain.Stderr)
	}
}
