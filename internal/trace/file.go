package trace

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// File is a recording that can be read from any keyframe on.
//
// Where blocks are, it takes from the Index at the end, or where there is none,
// or one that is wrong, from the blocks' headers. What either says is checked
// against each block that is read, and no answer depends on it: where a check
// fails, reading begins earlier, at last at the beginning of the file.
type File struct {
	r            io.ReaderAt
	size         int64
	decompressor *zstd.Decoder
	blocks       []IndexedBlock // all but those of counts alone, in file order
	tail         []int64        // offsets of the last blocks; nil if blocks come from an Index
}

// errBlock says that a block is not what it should be.
var errBlock = errors.New("damaged block")

// header reads the header at an offset.
func (f *File) header(offset int64) (h blockHeader, err error) {
	var b [blockHeaderSize]byte
	if offset < FileHeaderSize || offset > f.size-blockHeaderSize {
		return h, errBlock
	}
	if _, err := f.r.ReadAt(b[:], offset); err != nil && err != io.EOF {
		return h, fmt.Errorf("trace: %w", err)
	}
	h, err = parseBlockHeader(b[:])
	if err != nil || int64(h.length()) > f.size-offset {
		return h, errBlock
	}
	return h, nil
}

// is reports whether a header is what the index says.
func (b *IndexedBlock) is(h *blockHeader) bool {
	return h.first == b.First && h.records == b.Records && h.contents == b.Contents
}

// records reads the block at an offset.
func (f *File) records(offset int64) (records []Record, err error) {
	h, err := f.header(offset)
	if err != nil {
		return nil, err
	}
	stored := make([]byte, h.stored)
	if _, err := f.r.ReadAt(stored, offset+blockHeaderSize); err != nil && err != io.EOF {
		return nil, fmt.Errorf("trace: %w", err)
	}
	if checksum(stored) != h.sum {
		return nil, errBlock
	}
	payload, err := openBlock(f.decompressor, h, stored, nil)
	if err != nil {
		return nil, errBlock
	}
	d := decoder{payload: payload, version: h.version}
	for i := range h.records {
		r, err := d.recordIn(&h, i == 0)
		if err != nil {
			return records, errBlock
		}
		records = append(records, r)
	}
	return records, nil
}

// End is the latest instant that the end of the file names, in nanoseconds since
// Process.Started; 0 if it names none.
func (f *File) End() (nanos int64, err error) {
	tail := f.tail
	if tail == nil {
		for _, b := range f.blocks {
			tail = append(tail, int64(b.Offset))
		}
	}
	for i := len(tail) - 1; i >= max(0, len(tail)-maxTail); i-- {
		records, err := f.records(tail[i])
		if err != nil && !errors.Is(err, errBlock) {
			return 0, err
		}
		for _, r := range records {
			switch r := r.(type) {
			case *Mark:
				nanos = max(nanos, r.Nanos)
			case *End:
				nanos = max(nanos, r.Nanos)
			}
		}
		if nanos > 0 {
			break
		}
	}
	return nanos, nil
}

// maxTail is how many blocks at the end of a file are looked at for an instant.
const maxTail = 64

// Process is what the beginning of the file says of the process, nil where it does not.
func (f *File) Process() (*Process, error) {
	reader, err := NewReader(io.NewSectionReader(f.r, 0, f.size))
	if err != nil {
		return nil, err
	}
	for range maxHead {
		r, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if process, is := r.(*Process); is {
			return process, nil
		}
	}
	return nil, nil
}

// maxHead is how many records at the beginning of a file are looked at for the process.
const maxHead = 64

// Snapshot gives the instant of a snapshot of all that is tracked, from 1 on, in nanoseconds since Process.Started. It
// reads the recording up to there; the error says how many there are.
func (f *File) Snapshot(number int) (nanos int64, err error) {
	reader, err := NewReader(io.NewSectionReader(f.r, 0, f.size))
	if err != nil {
		return 0, err
	}
	var snapshots Snapshots
	for n := 0; ; {
		r, err := reader.Next()
		if err == io.EOF {
			return 0, fmt.Errorf("the recording has %d snapshots", n)
		}
		if err != nil {
			return 0, err
		}
		if at, ends := snapshots.Ends(r); ends {
			if n++; n == number {
				return at, nil
			}
		}
	}
}
