package launch

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
	hints   errorHints

	mu    sync.Mutex
	first *os.File // opened before the program started, for the first JVM
	made  bool     // first was not there before
	taken map[string]bool
}

// errorHints is what somebody can do about an output that is refused.
type errorHints struct{ exists, unwritable string }

var (
	runHints   = errorHints{"use --force to overwrite, or -o for another file", "use -o for another file"}
	agentHints = errorHints{"use the option force to overwrite, or file=PATH for another file",
		"use file=PATH for another file"}
)

// newOutputs finds out, before any program starts, whether the pattern can be written to.
func newOutputs(pattern string, force bool, hints errorHints) (*outputs, error) {
	if pattern == "" {
		pattern = DefaultOutput
	}
	o := &outputs{pattern: pattern, force: force, hints: hints, taken: map[string]bool{}}
	if strings.Contains(pattern, "%p") {
		folder := filepath.Dir(pattern)
		if err := unix.Access(folder+"/.", unix.W_OK|unix.X_OK); err != nil && !strings.Contains(folder, "%") {
			return nil, fmt.Errorf("cannot write to %s: %w; %s", folder, err, hints.unwritable)
		}
		return o, nil
	}
	var err error
	o.first, o.made, err = o.create(expand(pattern, 0, time.Now()))
	if err != nil {
		return nil, err
	}
	return o, nil
}

// open gives the file for a JVM. A second one for a name without %p gets -PID before the extension.
func (o *outputs) open(pid int, started time.Time) (*os.File, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f := o.first
	o.first = nil
	if f == nil {
		path := expand(o.pattern, pid, started)
		if !strings.Contains(o.pattern, "%p") {
			extension := filepath.Ext(path)
			path = strings.TrimSuffix(path, extension) + "-" + strconv.Itoa(pid) + extension
		}
		var err error
		if f, _, err = o.create(path); err != nil {
			return nil, err
		}
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if err := f.Truncate(0); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// close leaves things as they were where no JVM came.
func (o *outputs) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.first == nil {
		return
	}
	if o.made {
		os.Remove(o.first.Name())
	}
	o.first.Close()
	o.first = nil
}

// create opens a file for writing with what it holds, if it was there and may be overwritten.
func (o *outputs) create(path string) (f *os.File, made bool, err error) {
	f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	made = err == nil
	if errors.Is(err, fs.ErrExist) {
		if !o.force || o.taken[path] {
			return nil, false, fmt.Errorf("%s already exists; %s", path, o.hints.exists)
		}
		if f, err = overwrite(path); errors.Is(err, unix.ELOOP) {
			return nil, false, fmt.Errorf("%s is a symbolic link, which is not followed; remove it, or name its target",
				path)
		}
	}
	if err != nil {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err
		}
		return nil, false, fmt.Errorf("cannot write %s: %w; %s", path, err, o.hints.unwritable)
	}
	o.taken[path] = true
	return f, made, nil
}

// overwrite opens what is there. Nobody who puts a link there chooses a file that is lost; devices and pipes lose
// nothing.
func overwrite(path string) (*os.File, error) {
	flags := os.O_WRONLY
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		flags |= unix.O_NOFOLLOW
	}
	return os.OpenFile(path, flags, 0)
}

func expand(pattern string, pid int, started time.Time) string {
	values := strings.NewReplacer("%p", strconv.Itoa(pid), "%t", started.Format("20060102-150405"), "%%", "%")
	return values.Replace(pattern)
}
