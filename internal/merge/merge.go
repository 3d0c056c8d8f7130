package merge

import (
	"fmt"
	"io"
	"iter"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// Profile gives the sum of recordings.
func Profile(sources []Source, version string) *profile.Profile {
	return profile.FoldRecords(records(sources, version))
}

// Write writes the sum of recordings as one. Errors are those of w, and of what a recording cannot have.
func Write(w io.Writer, sources []Source, version string) error {
	writer := trace.NewWriter(w)
	for r := range records(sources, version) {
		if err := writer.Write(r); err != nil {
			return fmt.Errorf("merge: %w", err)
		}
	}
	if err := writer.Flush(); err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	return nil
}

// records are those of the sum.
func records(sources []Source, version string) iter.Seq[trace.Record] {
	return func(yield func(trace.Record) bool) {
		m := newMerger(yield, sources)
		m.emit(newProcess(sources, version))
		for i := range sources {
			m.addPrograms(&sources[i])
			m.define(sources[i].Profile)
			m.addThreads(sources[i].Profile)
			m.addLosses(&sources[i])
		}
		m.addInvocations()
		m.addSizes(sources)
		m.addTotals(sources)
		m.emit(newEnd(sources))
	}
}
