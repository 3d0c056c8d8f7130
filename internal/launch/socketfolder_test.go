package launch

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestAbandonedFolders removes the folder of a recorder that was killed, and no other.
func TestAbandonedFolders(t *testing.T) {
	parent, err := os.MkdirTemp("/tmp", "mallard-test-") // short enough for a socket's path
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(parent)
	t.Setenv("TMPDIR", parent)
	folder := func(age time.Duration) *socketFolder {
		f, err := newSocketFolder()
		if err != nil {
			t.Fatal(err)
		}
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: f.socket(), Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		l.SetUnlinkOnClose(false)
		l.Close()
		then := time.Now().Add(-age)
		if err := os.Chtimes(f.path, then, then); err != nil {
			t.Fatal(err)
		}
		return f
	}
	there := func(f *socketFolder) bool {
		_, err := os.Stat(f.path)
		return err == nil
	}
	used, abandoned, young := folder(time.Hour), folder(time.Hour), folder(0)
	abandoned.lock.Close() // as the system does with what was killed
	young.lock.Close()
	other, err := os.MkdirTemp(filepath.Dir(used.path), socketFolders) // without a socket
	if err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-time.Hour)
	if err := os.Chtimes(other, then, then); err != nil {
		t.Fatal(err)
	}
	next := folder(0)
	defer next.remove()
	if !there(used) || there(abandoned) || !there(young) || !there(&socketFolder{path: other}) {
		t.Errorf("used %v, abandoned %v, young %v, without a socket %v", there(used), there(abandoned), there(young),
			there(&socketFolder{path: other}))
	}
	if used.remove(); there(used) {
		t.Error("still there")
	}
}
