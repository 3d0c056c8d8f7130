package trace

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The file begins with fileMagic, the version (2 bytes), 2 bytes of zero, the
// checksum of these 12 bytes, and a note. All integers are little-endian.
const (
	fileMagic = "\x89MALLARD"

	// FileHeaderSize is the offset of a file's first block.
	FileHeaderSize = 16 + noteSize
)

func appendFileHeader(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, fileMagic...)
	dst = binary.LittleEndian.AppendUint16(dst, Version)
	dst = binary.LittleEndian.AppendUint16(dst, 0)
	dst = binary.LittleEndian.AppendUint32(dst, checksum(dst[start:]))
	return note{}.appendTo(dst)
}

// errFileHeader says that a file header is damaged.
var errFileHeader = errors.New("damaged file header")

// parseFileHeader checks the first FileHeaderSize bytes of a file, the note
// left out.
func parseFileHeader(b []byte) error {
	if string(b[:len(fileMagic)]) != fileMagic {
		return ErrNotRecording
	}
	if binary.LittleEndian.Uint32(b[12:]) != checksum(b[:12]) {
		return errFileHeader
	}
	if v := binary.LittleEndian.Uint16(b[8:]); v > Version {
		return fmt.Errorf("%w: file has version %d, this program reads up to %d", ErrNewerVersion, v, Version)
	} else if v == 0 {
		return fmt.Errorf("%w: format version 0", ErrNotRecording)
	}
	return nil
}
