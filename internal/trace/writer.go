package trace

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// ErrTooLarge is what Write returns, wrapped, for a record that no block holds.
var ErrTooLarge = errors.New("record is too large for a block")

// Writer appends records to a recording. Each block goes out in a single
// Write call, so that what a killed process leaves is whole blocks.
//
// A failed write does not end the recording. The Writer keeps what could not
// be written, up to maxBacklog bytes, and tries again at each Flush; beyond
// that it drops blocks, those first that later records make up for, and
// reports them by a Loss record once writing succeeds again. As long as it
// does not, the note in the file says how many records are missing, if the
// io.Writer is an io.WriterAt as well.
//
// A Writer is for one goroutine. It waits for nothing but the io.Writer.
type Writer struct {
	w          io.Writer
	compressor *zstd.Encoder

	header []byte // what is still to be written of the file header

	block   encoder // records not yet in a block
	records uint32  // how many
	keep    bool    // one of them is irreplaceable
	first   uint64  // position in the recording of the first of them

	backlog     []sealedBlock // oldest first; empty unless writing failed
	backlogSize int

	lostBlocks, lostRecords uint64
	reported                uint64 // of lostRecords, in Loss records written

	written uint64 // position after the last record that the file has
	note    note   // in the file
}

// sealedBlock is a block that waits to be written.
type sealedBlock struct {
	bytes   []byte
	first   uint64
	records uint32
	keep    bool
}

// NewWriter returns a Writer to w, which should be empty. The file header is
// written with the first Flush.
func NewWriter(w io.Writer) *Writer {
	return &Writer{w: w, compressor: newCompressor(), header: appendFileHeader(nil)}
}

// Write adds r to the current block, and writes the block if it is full.
//
// An error that is ErrTooLarge, or says that a field has a value outside its
// enumeration, means that r is not recorded. Any other comes from a Flush that
// Write did: r is safe as far as the backlog reaches, and going on is right.
func (w *Writer) Write(r Record) error {
	err := w.add(r)
	if errors.Is(err, ErrTooLarge) && w.records > 0 {
		// It may fit into a block of its own.
		flushed := w.Flush()
		if err = w.add(r); err == nil {
			err = flushed
		}
	}
	if err != nil || len(w.block.b) < blockTarget {
		return err
	}
	return w.Flush()
}

// add encodes r into the current block, or leaves the block as it was.
func (w *Writer) add(r Record) error {
	size, strings := len(w.block.b), len(w.block.strings)
	w.block.appendRecord(r)
	err := w.block.err
	if err == nil && len(w.block.b) > maxBlock {
		err = ErrTooLarge
	}
	if err != nil {
		w.block.truncate(size, strings)
		return fmt.Errorf("trace: %s: %w", r.kind(), err)
	}
	w.records++
	w.keep = w.keep || layoutOf(r.kind()).keep()
	return nil
}

// Flush ends the block and writes it, and before it what earlier calls could
// not write. An error is the io.Writer's; the recording goes on after it.
func (w *Writer) Flush() error {
	w.seal()
	if err := w.writeBacklog(); err != nil {
		w.shrinkBacklog()
		w.leaveNote(noteOf(w.first-w.written, err))
		return fmt.Errorf("trace: %w", err)
	}
	w.leaveNote(note{})
	if w.reported == w.lostRecords {
		return nil
	}
	if err := w.add(&Loss{
		Kind:   "records",
		Count:  w.lostRecords - w.reported,
		Detail: "the recording could not be written; counts may be too low for that time",
	}); err != nil {
		return err
	}
	w.reported = w.lostRecords
	w.seal()
	if err := w.writeBacklog(); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	return nil
}

// Lost returns how many blocks and records have been dropped.
func (w *Writer) Lost() (blocks, records uint64) { return w.lostBlocks, w.lostRecords }

// seal moves the current block to the end of the backlog.
func (w *Writer) seal() {
	if w.records == 0 {
		return
	}
	b := sealBlock(w.compressor, blockHeader{first: w.first, records: w.records}, w.block.b)
	w.backlog = append(w.backlog, sealedBlock{b, w.first, w.records, w.keep})
	w.backlogSize += len(b)
	w.first += uint64(w.records)
	w.block.reset()
	w.records, w.keep = 0, false
}

// writeBacklog writes what is waiting, as far as it goes.
func (w *Writer) writeBacklog() error {
	if len(w.header) > 0 {
		n, err := w.write(w.header)
		w.header = w.header[n:]
		if err != nil {
			return err
		}
	}
	for len(w.backlog) > 0 {
		b := w.backlog[0]
		if _, err := w.write(b.bytes); err != nil {
			return err
		}
		w.written = b.first + uint64(b.records)
		w.backlogSize -= len(b.bytes)
		w.backlog[0] = sealedBlock{}
		w.backlog = w.backlog[1:]
	}
	w.backlog = nil
	return nil
}

// write is w.w.Write with its contract enforced.
func (w *Writer) write(b []byte) (int, error) {
	n, err := w.w.Write(b)
	n = max(0, min(n, len(b)))
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return n, err
}

// shrinkBacklog drops blocks until the backlog is within its bound: the oldest
// that later records make up for, else the newest.
func (w *Writer) shrinkBacklog() {
	for w.backlogSize > maxBacklog {
		drop := len(w.backlog) - 1
		for i, b := range w.backlog {
			if !b.keep {
				drop = i
				break
			}
		}
		w.dropBlock(drop)
	}
}

func (w *Writer) dropBlock(i int) {
	b := w.backlog[i]
	w.backlog = append(w.backlog[:i], w.backlog[i+1:]...)
	w.backlogSize -= len(b.bytes)
	w.lostBlocks++
	w.lostRecords += uint64(b.records)
}
