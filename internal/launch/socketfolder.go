package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/payload"
)

// socketFolder is a folder for a socket, below one of the user's that nobody else can list. It is the user's alone at
// first, and locked as long as it is in use.
type socketFolder struct {
	path string
	lock *os.File
}

// socketFolders is what they are called.
const socketFolders = "socket-*"

// newSocketFolder makes one. Folders of recorders that were killed go.
func newSocketFolder() (*socketFolder, error) {
	parent, err := socketParent(os.TempDir())
	if err != nil {
		if parent, err = socketParent("/tmp"); err != nil {
			return nil, err
		}
	}
	removeAbandoned(parent)
	path, err := os.MkdirTemp(parent, socketFolders)
	if err != nil {
		return nil, err
	}
	f := &socketFolder{path: path}
	if f.lock, err = os.Open(path); err == nil {
		unix.Flock(int(f.lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) // nobody else has it
	}
	return f, nil
}

// socketParent gives the folder for folders of sockets in one for temporary files. A socket's path is short
// (unix(7)), and a comma would end it in the agent's options.
func socketParent(temporary string) (string, error) {
	const longest = 108 - len("/socket-4294967295/agent") - 1
	parent, err := payload.TemporaryBase(temporary)
	if err == nil && (len(parent) > longest || strings.ContainsRune(parent, ',')) {
		err = fmt.Errorf("no socket can be below %s: set TMPDIR to a short path without commas", parent)
	}
	return parent, err
}

// socket is the path of the socket in the folder.
func (f *socketFolder) socket() string { return filepath.Join(f.path, "agent") }

// remove removes the folder.
func (f *socketFolder) remove() {
	os.RemoveAll(f.path)
	f.lock.Close() // of a nil file is an error like any other
}

// abandonedAfter is how old a folder is at least that nobody uses: its lock comes a moment after itself.
const abandonedAfter = time.Minute

// removeAbandoned removes the folders of recorders of this user's that were killed.
func removeAbandoned(parent string) {
	paths, _ := filepath.Glob(filepath.Join(parent, socketFolders)) // the pattern is well formed
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < abandonedAfter {
			continue
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
			continue
		}
		f := &socketFolder{path: path}
		if f.lock, err = os.Open(path); err != nil {
			continue
		}
		if unix.Flock(int(f.lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil && os.Remove(f.socket()) == nil {
			os.Remove(path) // unless there is more in it, which is not ours
		}
		f.lock.Close()
	}
}
