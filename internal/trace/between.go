package trace

import (
	"fmt"
	"io"
)

// NoSnapshot is the error of a span that begins behind the last snapshot; both in nanoseconds since Process.Started.
type NoSnapshot struct{ From, End int64 }

func (e *NoSnapshot) Error() string {
	return fmt.Sprintf("no snapshot was taken from %.1f s on; the last was after %.1f s", float64(e.From)/1e9,
		float64(e.End)/1e9)
}

// SpanReader gives the records of a span of a recording: all definitions before its end, what was recorded between
// the two snapshots, and what speaks of the whole recording.
type SpanReader struct {
	*FromReader
	from, to   int64
	snapshots  Snapshots
	begun, cut bool
	last       int64 // instant of the last Mark
}

// Between begins behind the first snapshot from an instant on, at the beginning of the file for 0, and ends with the
// first one from another on, at the end of the file for 0.
func (f *File) Between(from, to int64) (*SpanReader, error) {
	r, err := f.From(from)
	if err != nil {
		return nil, err
	}
	return &SpanReader{FromReader: r, from: from, to: to, begun: from <= 0}, nil
}

// Next returns the next record, as Reader.Next does; a *NoSnapshot at the end if the span never began.
func (r *SpanReader) Next() (Record, error) {
	for {
		record, err := r.FromReader.Next()
		if err == io.EOF && !r.begun {
			err = &NoSnapshot{r.from, r.last}
		}
		if err != nil {
			return nil, err
		}
		if mark, is := record.(*Mark); is {
			r.last = mark.Nanos
		}
		inside := r.begun
		at, ends := r.snapshots.Ends(record)
		switch {
		case !ends || r.cut:
		case !r.begun:
			r.begun = at >= r.from
		case r.to > 0 && at >= r.to:
			r.cut = true
			r.Close()
		}
		if inside || IsDefinition(record) {
			return record, nil
		}
	}
}
