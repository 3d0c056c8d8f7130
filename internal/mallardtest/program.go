package mallardtest

import (
	"os"
	"path/filepath"
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

// Compiled compiles a program of tests/testdata.
func Compiled(t *testing.T, jdk jvmtest.JDK, name string) jvmtest.Command {
	t.Helper()
	return jvmtest.Command{Classpath: []string{jdk.MustJavac(t, []string{"-nowarn"}, Source(t, name+".java"))},
		Main: name}
}

// CompiledWithAPI compiles a program of tests/testdata that uses Mallard's API.
func CompiledWithAPI(t *testing.T, jdk jvmtest.JDK, name string, args ...string) jvmtest.Command {
	t.Helper()
	jar, err := payload.API()
	if err != nil {
		t.Fatal(err)
	}
	classes := jdk.MustJavac(t, []string{"-cp", jar}, Source(t, name+".java"))
	return jvmtest.Command{Classpath: []string{classes, jar}, Main: name, Args: args}
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
