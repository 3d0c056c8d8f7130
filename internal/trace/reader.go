package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Reader gives the records of a recording in order, in memory bounded by the
// size of a block.
//
// It gives every intact block. What is not intact it passes over, to where the next
// intact block begins, and reports as Damage. A recording
// without an End record was cut short, even if there is no Damage: the cut may
// lie between two blocks.
type Reader struct {
	src          source
	tail         bool // the file may still grow
	started      bool // the file header has been read
	decompressor *zstd.Decoder

	payload []byte      // of the current block, decompressed
	block   decoder     // what is left of it
	header  blockHeader // of it
	left    uint32      // records left in it
	current Damage      // the block, if it turned out to be damaged

	position uint64 // in the recording, of the next record
	wasted   int64  // bytes checksummed in vain
	damaged  *damagedRange
	missing  note // at the end of the file
	damage   []*Damage
}

// damagedRange is where no intact block has been found so far.
type damagedRange struct {
	offset   int64
	reason   error  // what was wrong first
	expected uint64 // position after the last record that a header in it has, 0 unknown
}

// NewReader reads the header of a recording. Its error is ErrNotRecording or
// ErrNewerVersion, wrapped, or that of r.
func NewReader(r io.Reader) (*Reader, error) {
	reader := &Reader{src: source{r: r}, decompressor: newDecompressor()}
	if err := reader.start(); err != nil {
		return nil, err
	}
	return reader, nil
}

// NewTailReader reads a recording that may still be growing. Next returns
// io.EOF when it has given every complete block, and may be called again
// later; an incomplete block at the end is not damage. The errors of NewReader
// come from Next.
func NewTailReader(r io.Reader) *Reader {
	return &Reader{src: source{r: r}, decompressor: newDecompressor(), tail: true}
}

// Damage lists what Next has passed over so far, in file order. It is complete
// once Next has returned io.EOF. From the thousandth on, all are one.
func (r *Reader) Damage() []*Damage { return r.damage }

// Next returns the next record, which the caller owns, and io.EOF after the
// last. Other errors are those of the io.Reader, and of NewReader for a
// Reader from NewTailReader.
func (r *Reader) Next() (Record, error) {
	if !r.started {
		if err := r.start(); err != nil {
			return nil, err
		}
	}
	for {
		for r.left == 0 {
			if err := r.nextBlock(); err != nil {
				return nil, err
			}
		}
		record, err := r.block.recordIn(&r.header, r.left == r.header.records)
		if err == nil {
			r.left--
			if r.left == 0 && len(r.block.left()) > 0 {
				r.dropBlock(fmt.Errorf("%d bytes after the last record", len(r.block.left())))
			}
			return record, nil
		}
		r.dropBlock(err)
	}
}

// dropBlock reports the rest of the current block as damage.
func (r *Reader) dropBlock(err error) {
	d := r.current
	d.Records = int64(r.left)
	d.Reason = err.Error()
	r.report(d)
	r.left = 0
}

// start reads the file header.
func (r *Reader) start() error {
	if !r.src.fill(FileHeaderSize) {
		switch {
		case r.src.err != io.EOF:
			return fmt.Errorf("trace: %w", r.src.err)
		case r.tail:
			return io.EOF
		case len(r.src.window()) == 0:
			return fmt.Errorf("trace: %w: the file is empty", ErrNotRecording)
		}
		return fmt.Errorf("trace: %w: the file has only %d bytes", ErrNotRecording, len(r.src.window()))
	}
	err := parseFileHeader(r.src.window())
	if errors.Is(err, ErrNotRecording) && r.src.fill(FileHeaderSize+blockHeaderSize) {
		if _, blockErr := parseBlockHeader(r.src.window()[FileHeaderSize:]); blockErr == nil {
			err = errFileHeader
		}
	}
	if errors.Is(err, errFileHeader) {
		r.report(Damage{Bytes: FileHeaderSize, Reason: err.Error()})
	} else if err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	missing, err := parseNote(r.src.window()[FileHeaderSize-noteSize:])
	if err != nil {
		r.report(Damage{Offset: FileHeaderSize - noteSize, Bytes: noteSize, Reason: err.Error()})
	}
	r.missing = missing
	r.src.skip(FileHeaderSize)
	r.started = true
	return nil
}

// nextBlock makes the next intact block the current one, or returns io.EOF.
func (r *Reader) nextBlock() error {
	for {
		if !r.src.fill(blockHeaderSize) {
			return r.finish()
		}
		h, err := parseBlockHeader(r.src.window())
		if err == nil && h.first < r.position {
			err = fmt.Errorf("block repeats records from %d on", h.first)
		}
		if err != nil {
			r.skip(1, err)
			continue
		}
		size := blockHeaderSize + int(h.stored)
		if !r.src.fill(size) {
			if r.src.err != io.EOF || r.tail {
				return r.finish()
			}
			r.skip(1, errors.New("block is cut off"))
			r.damaged.expected = h.first + uint64(h.records)
			continue
		}
		if checksum(r.src.window()[blockHeaderSize:size]) == h.sum {
			r.open(h, size)
			return nil
		}
		// The block may have been cut off by a full disk, and intact ones
		// follow within what should be its payload.
		skip := 1
		if r.wasted += int64(size); r.wasted > maxBlock+rescanFactor*r.src.offset {
			skip = size
		}
		r.skip(skip, errors.New("block has a wrong checksum"))
		r.damaged.expected = h.first + uint64(h.records)
	}
}

// skip goes n bytes on and then to where the next block may begin.
func (r *Reader) skip(n int, reason error) {
	if r.damaged == nil {
		r.damaged = &damagedRange{offset: r.src.offset, reason: reason}
	}
	r.src.skip(n)
	rest := r.src.window()
	if i := bytes.Index(rest, []byte(blockMagic)); i >= 0 {
		r.src.skip(i)
	} else {
		r.src.skip(max(0, len(rest)-len(blockMagic)+1))
	}
}

// open makes the block of size bytes with the header h the current one.
func (r *Reader) open(h blockHeader, size int) {
	r.account(h.first)
	r.position = h.first + uint64(h.records)
	r.current = Damage{Offset: r.src.offset, Bytes: int64(size)}
	r.header, r.left = h, h.records
	payload, err := openBlock(r.decompressor, h, r.src.window()[blockHeaderSize:size], r.payload[:0])
	if err != nil {
		r.dropBlock(err)
	} else {
		r.payload, r.block = payload, decoder{payload: payload, version: h.version}
	}
	r.src.skip(size)
}

// account reports what is missing before an intact block whose first record is
// at position next.
func (r *Reader) account(next uint64) {
	d := Damage{Offset: r.src.offset, Records: int64(next - r.position), Reason: "blocks were not written"}
	if r.damaged != nil {
		d.Offset, d.Reason = r.damaged.offset, r.damaged.reason.Error()
		d.Bytes = r.src.offset - d.Offset
	}
	if r.damaged != nil || d.Records > 0 {
		r.report(d)
	}
	r.damaged = nil
}

// accountEnd reports what is missing at the end of the file.
func (r *Reader) accountEnd() {
	if r.damaged == nil && r.missing.records == 0 {
		return
	}
	d := Damage{Offset: r.src.offset}
	if r.damaged != nil {
		d = Damage{Offset: r.damaged.offset, Bytes: r.src.offset - r.damaged.offset, Records: -1,
			Reason: r.damaged.reason.Error()}
		if r.damaged.expected > r.position {
			d.Records = int64(r.damaged.expected - r.position)
		}
	}
	if r.missing.records > 0 {
		d.Records = int64(r.missing.records) // what the torn block had included
		d.Reason = "could not be written: " + r.missing.reason
	}
	r.report(d)
	r.damaged = nil
}

// report adds d to the list of damage, or to its last entry if it is full.
func (r *Reader) report(d Damage) {
	if len(r.damage) < maxDamage {
		r.damage = append(r.damage, &d)
		return
	}
	last := r.damage[maxDamage-1]
	last.Bytes += d.Bytes
	if last.Records < 0 || d.Records < 0 {
		last.Records = -1
	} else {
		last.Records += d.Records
	}
	last.Reason = "damage in many places from here on"
}

// finish ends the recording where the file ends.
func (r *Reader) finish() error {
	if r.src.err != io.EOF {
		return fmt.Errorf("trace: offset %d: %w", r.src.offset, r.src.err)
	}
	if r.tail {
		return io.EOF
	}
	if n := len(r.src.window()); n > 0 {
		if r.damaged == nil {
			r.damaged = &damagedRange{offset: r.src.offset, reason: errors.New("block is cut off")}
		}
		r.src.skip(n)
	}
	r.accountEnd()
	return io.EOF
}
