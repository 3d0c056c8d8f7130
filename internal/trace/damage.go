package trace

import (
	"errors"
	"fmt"
)

// ErrNotRecording is what NewReader returns, wrapped, for a file that is no
// recording.
var ErrNotRecording = errors.New("not a mallard recording")

// ErrNewerVersion is what NewReader returns, wrapped with both numbers, for a
// recording written in a later version of the format.
var ErrNewerVersion = errors.New("recording has a newer format")

// Damage is one range of a recording that could not be read.
type Damage struct {
	Offset  int64  // where it starts in the file
	Bytes   int64  // how many bytes were skipped; 0 for blocks that never reached the file
	Records int64  // how many records are missing, -1 unknown
	Reason  string // what was wrong with them
}

func (d *Damage) Error() string {
	records := "an unknown number of records"
	if d.Records >= 0 {
		records = fmt.Sprintf("%d records", d.Records)
	}
	return fmt.Sprintf("trace: offset %d: %s: %d bytes skipped, %s lost", d.Offset, d.Reason, d.Bytes, records)
}
