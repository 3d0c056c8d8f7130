package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLinks has links where recordings are to be overwritten: what they lead to stays as it is, unless it is a device.
func TestLinks(t *testing.T) {
	folder := t.TempDir()
	file, link := filepath.Join(folder, "file"), filepath.Join(folder, "link")
	dangling, device := filepath.Join(folder, "dangling"), filepath.Join(folder, "device")
	if err := os.WriteFile(file, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{link: file, dangling: filepath.Join(folder, "new"), device: os.DevNull} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	for name, refused := range map[string]bool{file: false, link: true, dangling: true, device: false} {
		out, err := newOutputs(name, true, runHints)
		if refused != (err != nil && strings.Contains(err.Error(), "is a symbolic link")) {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
		if err != nil {
			continue
		}
		if name != file { // which would be emptied
			f, err := out.open(1, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
		out.close()
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "dear" {
		t.Errorf("the file holds %q (%v)", b, err)
	}
	if _, err := os.Lstat(filepath.Join(folder, "new")); err == nil {
		t.Error("a file was made where a link led")
	}
}
