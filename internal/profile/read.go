package profile

import (
	"errors"
	"fmt"
	"io"
	"os"

	"mallard/internal/trace"
)

// ErrEmpty is what Read returns, wrapped, for a recording in which nothing
// could be read.
var ErrEmpty = errors.New("the recording is empty")

// Read folds the recording at path. See Fold.
func Read(path string) (*Profile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	defer file.Close()
	return Fold(file)
}

// Fold reads a recording to its end and folds it. Memory grows with the sites,
// threads and contexts of the program, not with the length of the recording. Damage is
// no error: what is intact is folded and the rest becomes a loss. Errors wrap
// trace.ErrNotRecording, trace.ErrNewerVersion, ErrEmpty or an error of r.
func Fold(r io.Reader) (*Profile, error) {
	f, err := readAll(r)
	if err != nil {
		return nil, err
	}
	return f.finish(nil), nil
}

// readAll takes all records of a recording.
func readAll(r io.Reader) (*folder, error) {
	reader, err := trace.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	f := newFolder()
	for {
		record, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("profile: %w", err)
		}
		f.add(record)
	}
	f.damage = reader.Damage()
	if f.records == 0 {
		return nil, fmt.Errorf("profile: %w", ErrEmpty)
	}
	return f, nil
}
