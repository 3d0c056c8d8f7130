package profile

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"mallard/internal/trace"
)

// ErrEmpty is what Read returns, wrapped, for a recording in which nothing
// could be read.
var ErrEmpty = errors.New("the recording is empty")

// Read folds the recording at path. See Fold.
func Read(path string, also ...Consumer) (*Profile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	defer file.Close()
	return Fold(file, also...)
}

// Fold reads a recording to its end and folds it, and gives its records to others as well. Memory grows with the sites,
// threads and contexts of the program, not with the length of the recording. Damage is
// no error: what is intact is folded and the rest becomes a loss. Errors wrap
// trace.ErrNotRecording, trace.ErrNewerVersion, ErrEmpty or an error of r.
func Fold(r io.Reader, also ...Consumer) (*Profile, error) {
	f, err := readAll(r, also)
	if err != nil {
		return nil, err
	}
	return f.finish(nil), nil
}

// readAll takes all records of a recording.
func readAll(r io.Reader, also []Consumer) (*folder, error) {
	reader, err := trace.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	f := newFolder(also...)
	for record, err := range reader.Ahead() {
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

// ErrUnchecked is what FoldChecked returns for a recording that does not say
// how often constructors were called.
var ErrUnchecked = errors.New("the recording has no constructors: record with --track constructors")

// FoldChecked is Fold for a recording whose constructors were tracked, and
// checks it.
func FoldChecked(r io.Reader) (*Profile, *Check, error) {
	f, err := readAll(r, nil)
	if err != nil {
		return nil, nil, err
	}
	if f.process == nil || !slices.Contains(f.process.Track, "constructors") {
		return nil, nil, ErrUnchecked
	}
	c := newChecker(f)
	return f.finish(c), c.check, nil
}

// FoldRecords folds records that are in no file.
func FoldRecords(records iter.Seq[trace.Record]) *Profile {
	f := newFolder()
	for record := range records {
		f.add(record)
	}
	return f.finish(nil)
}
