package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mallard/internal/profile/profiletest"
)

// TestReadAgain reads a recording that goes on: nothing where nothing is new, what is new, and an error where nothing
// has come for long.
func TestReadAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mallard")
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(file, profiletest.MustEncode(t, text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	unfinished := profiletest.Contexts[:strings.LastIndex(strings.TrimSpace(profiletest.Contexts), "\n")+1]
	now := time.Now()
	write(unfinished, now.Add(-2*time.Second))
	ended := make(chan struct{})
	defer close(ended)
	v := &viewing{name: file, program: &program{ended: ended,
		Environment: Environment{Stdout: io.Discard, Stderr: io.Discard, Exit: func(int) {}}}}
	if err := v.read(); err != nil {
		t.Fatal(err)
	}
	if r, err := v.readAgain(); r != nil || err != nil {
		t.Errorf("nothing is new: %v, %v", r, err)
	}
	write(profiletest.Contexts, now.Add(-2*silent))
	if r, err := v.readAgain(); r == nil || err != nil {
		t.Errorf("there is more: %v, %v", r, err)
	}
	if r, err := v.readAgain(); r != nil || err == nil || !strings.Contains(err.Error(), "nothing was written to") {
		t.Errorf("nothing came for long: %v, %v", r, err)
	}
}
