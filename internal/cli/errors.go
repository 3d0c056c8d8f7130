package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// usageError is a command line that cannot be carried out as it stands.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// fileError says about a file what went wrong and what to do. An error of usage is about the command, not the file.
func fileError(name string, err error) error {
	switch {
	case errors.As(err, new(*usageError)):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf(`%s: no such file; "mallard run -- COMMAND" records one`, name)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: may not be read; check its permissions", name)
	case errors.Is(err, trace.ErrNewerVersion):
		return fmt.Errorf("%s was recorded by a newer mallard; read it with that version or a later one", name)
	case errors.Is(err, trace.ErrNotRecording):
		return fmt.Errorf(`%s is no recording; "mallard run -- COMMAND" makes one`, name)
	case errors.Is(err, profile.ErrEmpty):
		return fmt.Errorf("%s holds nothing: the program ended, or the disk was full, before its first second was "+
			"recorded", name)
	}
	return fmt.Errorf("%s: %w", name, cause(err))
}

// cause strips the place from an error of package os: the caller names it.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
