package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// writer writes one form of an answer.
type writer = func(io.Writer) error

// print writes an answer to standard output.
func (p *program) print(write writer) error {
	if err := p.bound.within(write)(p.Stdout); err != nil {
		return outputError("standard output", err)
	}
	return nil
}

// Modes of what is written: what a recording says is for its owner, code for whoever runs it.
const (
	exportMode = 0o600
	codeMode   = 0o666
)

// stdoutName stands for standard output where a file is asked for.
const stdoutName = "-"

// writeFile writes a new file in one go: it appears under its name when it is
// complete. A file that exists is overwritten only by force; devices
// and pipes are written to as they are. The mode is the file's, less the umask.
func writeFile(name string, mode fs.FileMode, force bool, write writer) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a directory", name)
	case err == nil && !info.Mode().IsRegular():
		return writeInto(name, write)
	case err == nil && !force:
		return fmt.Errorf("%s already exists; use --force to overwrite", name)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return outputError(name, err)
	}
	part := partOf(name)
	temporary, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return outputError(name, err)
	}
	defer os.Remove(part)
	err = errors.Join(write(temporary), temporary.Close())
	if err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		return outputError(name, err)
	}
	return nil
}

// partOf names a file that will be called name when it is complete.
func partOf(name string) string { return fmt.Sprintf("%s.%d.part", name, os.Getpid()) }

// writeInto writes to what is there.
func writeInto(name string, write writer) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return outputError(name, err)
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return outputError(name, err)
	}
	return nil
}

// outputError says about a file why it cannot be written.
func outputError(name string, err error) error {
	if e := (*exceededError)(nil); errors.As(err, &e) {
		return e
	}
	return fmt.Errorf("cannot write %s: %w", name, cause(err))
}
