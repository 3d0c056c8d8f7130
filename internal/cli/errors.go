package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/spf13/pflag"

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
		return fmt.Errorf(`%s: no such file; "mallard run -- COMMAND" makes a recording`, name)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: permission denied", name)
	case errors.Is(err, trace.ErrNewerVersion):
		return fmt.Errorf("%s was recorded by a newer version of mallard; use that version or a later one to read it",
			name)
	case errors.Is(err, trace.ErrNotRecording):
		return fmt.Errorf(`%s is not a Mallard recording`, name)
	case errors.Is(err, profile.ErrEmpty):
		return fmt.Errorf("%s is an empty recording: the program ended, or the disk was full, within the first "+
			"second", name)
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

// flagError says what is wrong with a flag without words of the library that reads it.
func flagError(err error) error {
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &value):
		flag, text := value.GetFlag(), value.GetValue()
		cause := value.Unwrap()
		switch flag.Value.Type() {
		case "int", "float64":
			cause = errors.New("not a number")
			if errors.Is(value, strconv.ErrRange) {
				cause = errors.New("out of range")
			}
		case "duration":
			cause = errors.New("not a time, such as 5s or 10m")
		case "bool":
			cause = errors.New("not true or false")
		}
		return fmt.Errorf("--%s: %q is %w", flag.Name, text, cause)
	case errors.As(err, &missing):
		return fmt.Errorf("--%s: missing value", missing.GetFlag().Name)
	}
	return err
}
