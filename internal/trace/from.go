package trace

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
)

// FromReader gives the records that say what happened from an instant on: the
// definitions that came before a keyframe, and all records from the keyframe on.
type FromReader struct {
	file        *File
	definitions []IndexedBlock // to be read first
	reader      *Reader        // from the keyframe on
	keyframe    bool           // there is one; else it is from the beginning on
	queue       []Record
	damage      []*Damage // of definitions
	closing     []IndexedBlock
	closed      bool
}

// From begins at the last keyframe whose instant is not after nanos, or at the
// beginning of the file. The round of the first Mark from nanos on is whole.
func (f *File) From(nanos int64) (*FromReader, error) {
	for range 2 {
		r, err := f.fromKeyframe(nanos)
		if r != nil || err != nil {
			return r, err
		}
		if f.tail != nil {
			break
		}
		if err := f.scan(); err != nil { // the index may be wrong
			return nil, err
		}
	}
	reader, err := NewReader(io.NewSectionReader(f.r, 0, f.size))
	if err != nil {
		return nil, err
	}
	return &FromReader{file: f, reader: reader}, nil
}

// fromKeyframe is From but for the beginning of the file.
func (f *File) fromKeyframe(nanos int64) (*FromReader, error) {
	keyframes := f.keyframes()
	first := sort.Search(len(keyframes), func(i int) bool { return f.nanosOf(keyframes[i]) > nanos })
	for _, at := range slices.Backward(keyframes[max(0, first-maxTries):first]) {
		good, err := f.isKeyframe(f.blocks[at], nanos, f.defined(at))
		if err != nil {
			return nil, err
		}
		if good {
			return f.fromBlock(at), nil
		}
	}
	return nil, nil
}

// keyframes are the blocks that begin with one, as indices.
func (f *File) keyframes() (list []int) {
	for i := range f.blocks {
		if f.blocks[i].Contents&BeginsKeyframe != 0 {
			list = append(list, i)
		}
	}
	return list
}

// nanosOf is the instant of the keyframe that a block begins with, which headers do not have; 0 where it is damaged.
func (f *File) nanosOf(block int) int64 {
	b := &f.blocks[block]
	if b.Nanos == 0 && f.tail != nil {
		if k, is := first(f.readerAt(*b).Next()).(*Keyframe); is {
			b.Nanos = k.Nanos
		}
	}
	return b.Nanos
}

// first is a record without its error.
func first(r Record, _ error) Record { return r }

// defined is how many records there are in blocks of definitions before one.
func (f *File) defined(block int) (records uint64) {
	for _, b := range f.blocks[:block] {
		if b.Contents == Definitions {
			records += uint64(b.Records)
		}
	}
	return records
}

// fromBlock reads the definitions before a block, and all from it on.
func (f *File) fromBlock(block int) *FromReader {
	r := &FromReader{file: f, reader: f.readerAt(f.blocks[block]), keyframe: true}
	for _, d := range f.blocks[:block] {
		if d.Contents == Definitions {
			r.definitions = append(r.definitions, d)
		}
	}
	return r
}

// Last begins at the last keyframe that is not behind what somebody looks for, or at the beginning of the file.
// isBehind is asked of some keyframes, which must be in the order of what is looked for; it may read from there on,
// without definitions.
func (f *File) Last(isBehind func(*FromReader) bool) (*FromReader, error) {
	keyframes := f.keyframes()
	i := sort.Search(len(keyframes), func(i int) bool {
		return isBehind(&FromReader{file: f, reader: f.readerAt(f.blocks[keyframes[i]]), keyframe: true})
	})
	if i == 0 {
		return f.From(-1)
	}
	return f.From(f.nanosOf(keyframes[i-1]))
}

// maxTries is how many keyframes are tried before all of a file is read.
const maxTries = 8

// isKeyframe reports whether a whole keyframe of an instant not after nanos begins with a block, and that many
// definitions came before it.
func (f *File) isKeyframe(b IndexedBlock, nanos int64, defined uint64) (bool, error) {
	r := f.readerAt(b)
	for first := true; ; first = false {
		record, err := r.Next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		k, is := record.(*Keyframe)
		if first && (!is || k.Definitions != defined || k.Nanos > nanos || f.tail == nil && k.Nanos != b.Nanos) {
			return false, nil
		}
		if !first && is || len(r.damage) > 0 {
			return false, nil
		}
		switch record := record.(type) {
		case *Mark:
			return true, nil
		case *Snapshot:
			if !record.Full {
				return false, nil
			}
		case *ContextCounts:
			if !record.Full {
				return false, nil
			}
		}
	}
}

// readerAt reads from a block on.
func (f *File) readerAt(b IndexedBlock) *Reader {
	offset := int64(b.Offset)
	r := &Reader{decompressor: newDecompressor()}
	r.src = source{r: io.NewSectionReader(f.r, offset, f.size-offset), offset: offset, ask: firstSize}
	r.started, r.position = true, b.First
	return r
}

// IsAtKeyframe reports whether reading begins at a keyframe, rather than at the beginning of the file.
func (r *FromReader) IsAtKeyframe() bool { return r.keyframe }

// Next returns the next record, as Reader.Next does.
func (r *FromReader) Next() (Record, error) {
	for {
		if len(r.queue) > 0 {
			record := r.queue[0]
			r.queue = r.queue[1:]
			return record, nil
		}
		switch {
		case len(r.definitions) > 0:
			b := r.definitions[0]
			r.definitions = r.definitions[1:]
			if err := r.take(b); err != nil {
				return nil, err
			}
		case !r.closed:
			return r.reader.Next()
		case len(r.closing) > 0:
			b := r.closing[0]
			r.closing = r.closing[1:]
			if err := r.take(b); err != nil {
				return nil, err
			}
			r.keepSummaries()
		default:
			return nil, io.EOF
		}
	}
}

// take reads a block that the file's index names.
func (r *FromReader) take(b IndexedBlock) (err error) {
	r.queue, err = r.file.records(int64(b.Offset))
	if errors.Is(err, errBlock) {
		missing := int64(b.Records) - int64(len(r.queue))
		r.damage = append(r.damage, &Damage{Offset: int64(b.Offset), Records: missing, Reason: errBlock.Error()})
		err = nil
	}
	if err != nil {
		return fmt.Errorf("trace: offset %d: %w", b.Offset, err)
	}
	return nil
}

// Close ends the records of the time that is asked for: Next goes on with those behind that speak of the whole
// recording, Seen, Loss, End, Internal and Adaptation.
func (r *FromReader) Close() {
	r.closed, r.queue = true, nil
	at := r.reader.src.offset // behind the current block, whose rest may have some
	for r.reader.left > 0 {
		record, err := r.reader.block.recordIn(&r.reader.header, false)
		if err != nil {
			break
		}
		r.reader.left--
		r.queue = append(r.queue, record)
	}
	r.keepSummaries()
	for _, b := range r.file.blocks {
		if int64(b.Offset) >= at && b.Contents&Summaries != 0 {
			r.closing = append(r.closing, b)
		}
	}
}

func (r *FromReader) keepSummaries() {
	kept := r.queue[:0]
	for _, record := range r.queue {
		if layoutOf(record.kind()).traits().has(summary) {
			kept = append(kept, record)
		}
	}
	r.queue = kept
}

// Damage is as Reader.Damage, of what has been read.
func (r *FromReader) Damage() []*Damage {
	return append(r.damage[:len(r.damage):len(r.damage)], r.reader.Damage()...)
}
