package trace

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
)

// TestFullFileSystem fills a real file system, and then makes room.
func TestFullFileSystem(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		jvmtest.Missing(t, "cannot mount a small file system: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 200<<10), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(dir, "run.mallard"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()

	w := NewWriter(file)
	var want []Record
	full := 0
	for range 6 {
		s := randomSnapshot(5_000)
		want = append(want, s)
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); errors.Is(err, syscall.ENOSPC) {
			full++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if full == 0 {
		t.Fatal("the file system did not fill up")
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	got, damage := decode(t, written)
	if diff := cmp.Diff(want, got); diff != "" || lost(damage) != 0 {
		t.Errorf("damage %v, -want +got:\n%s", damage, diff)
	}
}
