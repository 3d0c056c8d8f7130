package trace

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Writer appends records to a recording. Each block goes out in a single
// Write call, so that what a killed process leaves is whole blocks.
//
// Definitions and counts have blocks of their own, so that a reader can take
// all definitions without the counts between them. A definition may so come
// earlier in the file than counts that were written before it; but never
// earlier than a Retired record, after which numbers may get a new meaning, or
// a Keyframe, behind which a reader may start.
//
// A failed write does not end the recording. The Writer keeps what could not
// be written, up to maxBacklog bytes, and tries again at each Flush; beyond
// that it drops blocks, those first that later records make up for, and
// reports them by a Loss record once writing succeeds again. As long as it
// does not, the note in the file says how many records are missing, if the
// io.Writer is an io.WriterAt as well.
//
// A Writer is for one goroutine. It waits for nothing but the io.Writer, and for
// goroutines of its own that compress events.
type Writer struct {
	w          io.Writer
	compressor *zstd.Encoder

	header []byte // what is still to be written of the file header

	definitions, counts pendingBlock
	first               uint64 // position in the recording of the first record that is in no sealed block
	defined             uint64 // records in sealed blocks of definitions
	fence               bool   // counts has a record that later definitions may not come before

	backlog  backlog
	reported uint64 // of the lost records, in Loss records written

	written uint64 // position after the last record that the file has
	note    note   // in the file

	offset    int64 // bytes that the file has
	index     indexer
	keyframes keyframes
}

// NewWriter returns a Writer to w, which should be empty. The file header is
// written with the first Flush.
func NewWriter(w io.Writer) *Writer {
	return &Writer{w: w, compressor: newCompressor(1), header: appendFileHeader(nil)}
}

// Write adds r to the current block of its sort, and writes the block if it is full.
//
// An error that is ErrTooLarge, or says that a field has a value outside its
// enumeration, means that r is not recorded. Any other comes from a Flush that
// Write did: r is safe as far as the backlog reaches, and going on is right.
func (w *Writer) Write(r Record) error {
	if p, ok := r.(*Process); ok {
		return w.begin(p)
	}
	block := w.blockOf(r)
	err := block.add(r)
	if errors.Is(err, ErrTooLarge) && block.records > 0 {
		// It may fit into a block of its own.
		flushed := w.Flush()
		if err = block.add(r); err == nil {
			err = flushed
		}
	}
	if err != nil {
		return err
	}
	w.keyframes.pass(r, w.counts.size())
	w.index.pass(r)
	if block.size() < blockTarget {
		return nil
	}
	return w.flush(mostCompressing)
}

// begin writes the Process at once, in a block of its own, so that whatever happens next a file says whose it is. What
// waits for its block to be full is not cut off by that: the Process needs none of it.
func (w *Writer) begin(p *Process) error {
	if w.fence {
		w.seal()
	}
	var block pendingBlock
	if err := block.add(p); err != nil {
		return err
	}
	w.index.pass(p)
	w.defined++
	w.sealBlock(&block)
	if err := w.writeBacklog(0); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	return nil
}

// blockOf returns the block that r belongs to, and ends blocks that r must not be read before.
func (w *Writer) blockOf(r Record) *pendingBlock {
	switch r := r.(type) {
	case *Keyframe:
		w.seal()
		r.Definitions = w.defined
		w.fence = true
	case *Retired:
		w.fence = true
	}
	if !layoutOf(r.kind()).traits().has(naming) {
		return &w.counts
	}
	if w.fence {
		w.seal()
	}
	return &w.definitions
}

// Flush ends the block and writes it, and before it what earlier calls could
// not write. An error is the io.Writer's; the recording goes on after it.
func (w *Writer) Flush() error { return w.flush(0) }

// flush is Flush, but leaves so many blocks that are being compressed, and what follows them, for the next time.
func (w *Writer) flush(leave int) error {
	w.seal()
	if err := w.writeBacklog(leave); err != nil {
		w.backlog.shrink()
		w.writeNote(noteOf(w.first-w.written, err))
		return fmt.Errorf("trace: %w", err)
	}
	w.writeNote(note{})
	if err := w.reportLost(); err != nil {
		return err
	}
	return w.writeIndex()
}

// reportLost writes a Loss of what has been dropped since the last one.
func (w *Writer) reportLost() error {
	if w.reported == w.backlog.lostRecords {
		return nil
	}
	if err := w.counts.add(&Loss{
		Kind:   "records",
		Count:  w.backlog.lostRecords - w.reported,
		Detail: "the recording could not be written; counts may be too low for that time",
	}); err != nil {
		return err
	}
	w.reported = w.backlog.lostRecords
	return w.sealAndWrite()
}

// Lost returns how many blocks and records have been dropped.
func (w *Writer) Lost() (blocks, records uint64) { return w.backlog.lostBlocks, w.backlog.lostRecords }

// sealAndWrite is Flush without what that adds to the recording.
func (w *Writer) sealAndWrite() error {
	w.seal()
	if err := w.writeBacklog(0); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	return nil
}

// seal moves the current blocks to the end of the backlog.
func (w *Writer) seal() {
	w.defined += uint64(w.definitions.records)
	w.sealBlock(&w.definitions)
	w.sealBlock(&w.counts)
	w.fence = false
}

func (w *Writer) sealBlock(block *pendingBlock) {
	if block.records == 0 {
		return
	}
	w.keyframes.sealed(block.size())
	h := blockHeader{contents: block.contents, first: w.first, records: block.records}
	b := sealedBlock{keep: block.keep, IndexedBlock: IndexedBlock{
		First: h.first, Records: h.records, Contents: h.contents, Nanos: block.nanos,
	}}
	if block.isBulk() {
		block.b = w.backlog.compress(b, h, block.b)
	} else {
		b.bytes = sealBlock(w.compressor, h, block.b)
		w.backlog.add(b)
	}
	w.first += uint64(block.records)
	block.reset()
	*block = pendingBlock{encoder: block.encoder}
}

// writeBacklog writes what is waiting, as far as it goes, but for so many blocks that are being compressed, and what
// follows them.
func (w *Writer) writeBacklog(leave int) error {
	if len(w.header) > 0 {
		n, err := w.write(w.header)
		w.header = w.header[n:]
		if err != nil {
			return err
		}
	}
	for len(w.backlog.blocks) > 0 {
		first := &w.backlog.blocks[0]
		if first.compressing != nil && w.backlog.compressing() <= leave {
			return nil
		}
		w.backlog.await(first)
		b := *first
		b.Offset = uint64(w.offset)
		if _, err := w.write(b.bytes); err != nil {
			return err
		}
		w.index.add(b.IndexedBlock)
		w.written = b.First + uint64(b.Records)
		w.backlog.removeFirst()
	}
	return nil
}

// write is w.w.Write with its contract enforced.
func (w *Writer) write(b []byte) (int, error) {
	n, err := w.w.Write(b)
	n = max(0, min(n, len(b)))
	w.offset += int64(n)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return n, err
}

// writeNote writes the note into the file. That it does not get there has no consequence: the io.Writer may be no
// file, or the file may be without a header.
func (w *Writer) writeNote(n note) {
	if file, ok := w.w.(io.WriterAt); ok && n != w.note && len(w.header) == 0 {
		if _, err := file.WriteAt(n.appendTo(nil), FileHeaderSize-noteSize); err == nil {
			w.note = n
		}
	}
}

// KeyframeDue reports whether enough was written since the last keyframe for another one to add little to the file.
func (w *Writer) KeyframeDue() bool { return w.keyframes.due(w.counts.size()) }

// writeIndex writes an Index behind a keyframe, behind many blocks, and behind the End.
func (w *Writer) writeIndex() error {
	if !w.index.due() {
		return nil
	}
	if err := w.counts.add(w.index.take()); err != nil {
		return err
	}
	return w.sealAndWrite()
}
