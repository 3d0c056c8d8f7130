package trace

import (
	"encoding/binary"
	"errors"
	"io/fs"
)

// The note is the rest of the file header. It is the one place of a recording that is written again: on a disk that
// stays full the file cannot grow any more, but it can still say how much is missing.
//
//	 0   8  records  that did not get into the file behind its last block
//	 8   1  length   of the reason
//	 9 115  reason   why, in UTF-8, padded with 0
//	124  4           CRC-32C of the 124 bytes before
const (
	noteSize      = 128
	maxNoteReason = 115
)

// note says what is missing at the end of a recording. The zero note says that nothing is known to be.
type note struct {
	records uint64
	reason  string // at most maxNoteReason bytes
}

// noteOf says why that many records could not be written.
func noteOf(records uint64, err error) note {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	reason := err.Error()
	return note{records, reason[:min(len(reason), maxNoteReason)]}
}

func (n note) appendTo(dst []byte) []byte {
	var b [noteSize]byte
	binary.LittleEndian.PutUint64(b[:], n.records)
	b[8] = byte(len(n.reason))
	copy(b[9:9+maxNoteReason], n.reason)
	binary.LittleEndian.PutUint32(b[noteSize-4:], checksum(b[:noteSize-4]))
	return append(dst, b[:]...)
}

// parseNote reads the noteSize bytes of b.
func parseNote(b []byte) (note, error) {
	if binary.LittleEndian.Uint32(b[noteSize-4:]) != checksum(b[:noteSize-4]) || b[8] > maxNoteReason {
		return note{}, errors.New("damaged note of what is missing")
	}
	n := note{binary.LittleEndian.Uint64(b), string(b[9 : 9+b[8]])}
	if n.records > maxRecords {
		return note{}, errors.New("note of impossibly many missing records")
	}
	return n, nil
}
