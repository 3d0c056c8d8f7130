package mallardtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/payload"
)

// Source gives the path of a file in tests/testdata.
func Source(t *testing.T, path ...string) string {
	t.Helper()
	return filepath.Join(append([]string{jvmtest.MustRoot(t), "tests", "testdata"}, path...)...)
}

// alone are programs of tests/testdata that are not compiled together with the others: they have classes by other
// names, or need what not every JDK has.
var alone = []string{"Budgeted", "BudgetedLate", "Chunks", "Overflow", "Parked", "Sleeps", "Stops", "Watch"}

// Compiled compiles a program of tests/testdata: with all others, since most of what javac takes is its start.
func Compiled(t *testing.T, jdk jvmtest.JDK, name string) jvmtest.Command {
	t.Helper()
	command := CompiledWithAPI(t, jdk, name)
	command.Classpath = command.Classpath[:1]
	return command
}

// CompiledWithAPI compiles a program of tests/testdata that uses Mallard's API.
func CompiledWithAPI(t *testing.T, jdk jvmtest.JDK, name string, args ...string) jvmtest.Command {
	t.Helper()
	jar, err := payload.API()
	if err != nil {
		t.Fatal(err)
	}
	options := []string{"-cp", jar}
	command := jvmtest.Command{Classpath: []string{"", jar}, Main: name, Args: args}
	if slices.Contains(alone, name) {
		command.Classpath[0] = jdk.MustJavac(t, options, Source(t, name+".java"))
		return command
	}
	sources, err := filepath.Glob(Source(t, "*.java"))
	if err != nil {
		t.Fatal(err)
	}
	sources = slices.DeleteFunc(sources, func(path string) bool {
		return slices.Contains(alone, strings.TrimSuffix(filepath.Base(path), ".java"))
	})
	command.Classpath[0] = filepath.Join(jdk.MustJavacEach(t, options, sources...), name)
	return command
}

// Written writes a source file.
func Written(t *testing.T, name, source string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".java")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// RanSteps fails the test unless the program ran and mallard wrote what it said.
func RanSteps(t *testing.T, output jvmtest.Output, times int) {
	t.Helper()
	if want := strings.Repeat("sum 0\n", times); output.Stdout != want || output.ExitCode != 7 {
		t.Errorf("%q and exit code %d, want %q and 7; stderr:\n%s", output.Stdout, output.ExitCode, want, output.Stderr)
	}
}

// ManyEpochs makes an epoch begin whenever a call is new.
func ManyEpochs(t *testing.T) { t.Setenv("MALLARD_EPOCHS", "1") }
