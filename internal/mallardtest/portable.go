package mallardtest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/portable"
)

// Instrument makes a jar of a program's classes that records itself.
func Instrument(t *testing.T, classes string, o portable.Options) string {
	t.Helper()
	jar := filepath.Join(t.TempDir(), "out.jar")
	out, err := os.Create(jar)
	if err != nil {
		t.Fatal(err)
	}
	made, err := portable.Instrument(classes, out, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	for _, s := range made.Skipped {
		t.Errorf("%s: %s", s.Name, s.Reason)
	}
	return jar
}

// Agentless gives a command whose program records itself, and the recording's file.
func Agentless(t *testing.T, command jvmtest.Command, o portable.Options) (jvmtest.Command, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.mallard")
	command.Classpath = []string{Instrument(t, command.Classpath[0], o)}
	command.Options = append(slices.Clone(command.Options), "-Dmallard.file="+file)
	return command, file
}
