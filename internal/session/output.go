package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// outputs gives each JVM under one command a file of its own.
type outputs struct {
	pattern string
	force   bool

	mu    sync.Mutex
	first *os.File // made before the program started, for the first JVM
	taken map[string]bool
}

// newOutputs finds out, before any program starts, whether the pattern can be written to.
func newOutputs(pattern string, force bool) (*outputs, error) {
	if pattern == "" {
		pattern = DefaultOutput
	}
	o := &outputs{pattern: pattern, force: force, taken: map[string]bool{}}
	if strings.Contains(pattern, "%p") {
		folder := filepath.Dir(pattern)
		if strings.Contains(folder, "%") {
			return o, nil
		}
		if err := unix.Access(folder, unix.W_OK); err != nil {
			return nil, fmt.Errorf("cannot write to %s: %w; name another place with -o", folder, err)
		}
		return o, nil
	}
	f, err := o.create(expand(pattern, 0, time.Now()))
	if err != nil {
		return nil, err
	}
	o.first = f
	return o, nil
}

// open gives the file for a JVM. A second one for a name without %p gets -PID before the extension.
func (o *outputs) open(pid int, started time.Time) (*os.File, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f := o.first; f != nil {
		o.first = nil
		return f, nil
	}
	path := expand(o.pattern, pid, started)
	if !strings.Contains(o.pattern, "%p") {
		extension := filepath.Ext(path)
		path = strings.TrimSuffix(path, extension) + "-" + strconv.Itoa(pid) + extension
	}
	return o.create(path)
}

// close removes the file that no JVM came for.
func (o *outputs) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.first != nil {
		os.Remove(o.first.Name())
		o.first.Close()
		o.first = nil
	}
}

func (o *outputs) create(path string) (*os.File, error) {
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !o.force || o.taken[path] {
		flags |= os.O_EXCL
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s exists; overwrite it with --force or name another file with -o", path)
	}
	var where *fs.PathError
	if errors.As(err, &where) {
		return nil, fmt.Errorf("cannot write %s: %w; name another file with -o", path, where.Err)
	}
	o.taken[path] = true
	return f, err
}

func expand(pattern string, pid int, started time.Time) string {
	return strings.NewReplacer("%p", strconv.Itoa(pid), "%t", started.Format("20060102-150405"), "%%", "%").Replace(pattern)
}
