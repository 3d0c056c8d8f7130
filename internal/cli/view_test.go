package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
	"mallard/internal/view"
)

// newViewing is of a recording in a file, which is read.
func newViewing(t *testing.T, file string) *viewing {
	t.Helper()
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended) })
	v := &viewing{name: file, program: &program{ended: ended,
		Environment: Environment{Stdout: io.Discard, Stderr: io.Discard, Exit: func(int) {}}}}
	if err := v.read(); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestOtherPages: the difference from another recording is of a span by the second, and the heap is that at its end.
func TestOtherPages(t *testing.T) {
	dir := t.TempDir()
	file, base := filepath.Join(dir, "run.mallard"), filepath.Join(dir, "base.mallard")
	for name, text := range map[string]string{file: profiletest.Transactions, base: profiletest.Transactions} {
		if err := os.WriteFile(name, profiletest.MustEncode(t, text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v, others := newViewing(t, file), map[string]view.Other{}
	v.base = newViewing(t, base).recording
	if list := v.others(others, nil); len(list) != 1 || list[0][0] != "diff" {
		t.Fatalf("pages %v", list)
	}
	has := func(name string, span profile.Span, parts ...string) {
		t.Helper()
		page, err := others[name](v.profile, span)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(string(page.Text), part) {
				t.Errorf("%s %v: no %q in\n%s", name, span, part, page.Text)
			}
		}
	}
	has("diff", profile.Span{}, "Total ", "1,244 objects", `"per":""`)
	// 1,244 objects in 3 s, and 1,133 in the last one
	has("diff", profile.Span{From: 2 * time.Second}, ", of that 2.0 s to 3.0 s", `"per":"second"`,
		"A 415 objects, 9,952 bytes; B 1,133 objects, 27,192 bytes: ")

	if err := writeHeap(file, heaptest.Demo()); err != nil {
		t.Fatal(err)
	}
	v = newViewing(t, file)
	if list := v.others(others, nil); len(list) != 1 || list[0][0] != "heap" {
		t.Fatalf("pages %v", list)
	}
	has("heap", profile.Span{}, `"moment":"at the JVM's end, 5.000 s"`, `"span":[0,0]`)
	has("heap", profile.Span{From: time.Second, To: 2500 * time.Millisecond},
		`"moment":"after gc:1 (young) at 2.010 s"`, `"span":[1,2.5]`)
	has("heap", profile.Span{To: time.Millisecond}, `"moment":"at the JVM's end, 5.000 s"`)
	if err := writeHeap(file, heaptest.Leak()); err != nil {
		t.Fatal(err)
	}
	has("heap", profile.Span{}, "demo.Cache")
}

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
	v := newViewing(t, file)
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
