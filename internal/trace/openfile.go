package trace

import (
	"bytes"
	"errors"
	"io"
)

// OpenFile finds the blocks of a recording of size bytes. Its errors are those of
// NewReader.
func OpenFile(r io.ReaderAt, size int64) (*File, error) {
	if _, err := NewReader(io.NewSectionReader(r, 0, min(size, FileHeaderSize+blockHeaderSize))); err != nil {
		return nil, err
	}
	f := &File{r: r, size: size, decompressor: newDecompressor()}
	var indexed bool
	if f.blocks, indexed = f.readIndex(); !indexed {
		return f, f.scan()
	}
	return f, nil
}

// tailWindow is how much of the end of a file is looked at for the last block.
const tailWindow = 64 << 10

// readIndex follows the chain of Index records from the end of the file. It is
// false if the chain is not whole or says what is not so.
func (f *File) readIndex() (blocks []IndexedBlock, ok bool) {
	offset, found := f.lastBlock()
	if !found {
		return nil, false
	}
	var parts [][]IndexedBlock
	total := 0
	for next := offset; ; {
		records, err := f.records(next)
		if err != nil {
			return nil, false
		}
		index := lastIndex(records)
		if index == nil || index.Previous >= uint64(next) {
			return nil, false
		}
		parts = append(parts, index.Blocks)
		if total += len(index.Blocks); int64(total) > f.size/blockHeaderSize {
			return nil, false
		}
		if index.Previous == 0 {
			break
		}
		next = int64(index.Previous)
	}
	blocks = make([]IndexedBlock, 0, total)
	for i := len(parts) - 1; i >= 0; i-- {
		blocks = append(blocks, parts[i]...)
	}
	return blocks, f.verified(blocks)
}

func lastIndex(records []Record) *Index {
	for i := len(records) - 1; i >= 0; i-- {
		if index, is := records[i].(*Index); is {
			return index
		}
	}
	return nil
}

// lastBlock finds the block that ends where the file ends.
func (f *File) lastBlock() (offset int64, found bool) {
	start := max(FileHeaderSize, f.size-tailWindow)
	window := make([]byte, max(0, f.size-start))
	if _, err := f.r.ReadAt(window, start); err != nil && err != io.EOF {
		return 0, false
	}
	for at := len(window); at > 0; {
		if at = bytes.LastIndex(window[:at], []byte(blockMagic)); at < 0 {
			break
		}
		if h, err := f.header(start + int64(at)); err == nil && start+int64(at)+int64(h.length()) == f.size {
			return start + int64(at), h.contents&HasIndex != 0
		}
	}
	return 0, false
}

// verified compares what an index says with the headers of the blocks.
func (f *File) verified(blocks []IndexedBlock) bool {
	end := uint64(FileHeaderSize)
	for i := range blocks {
		b := &blocks[i]
		if b.Offset < end || b.Offset > uint64(f.size) {
			return false
		}
		h, err := f.header(int64(b.Offset))
		if err != nil || !b.is(&h) {
			return false
		}
		end = b.Offset + uint64(h.length())
	}
	return true
}

// scan finds the blocks by their headers, one after the other. Where there is no header it goes on to the next.
func (f *File) scan() error {
	f.blocks, f.tail = nil, []int64{}
	position := uint64(0)
	for offset := int64(FileHeaderSize); offset < f.size; {
		h, err := f.header(offset)
		switch {
		case err == nil && h.first >= position:
			if h.contents&^HasIndex != 0 {
				f.blocks = append(f.blocks, IndexedBlock{uint64(offset), h.first, h.records, h.contents, 0})
			}
			if len(f.tail) >= 2*maxTail {
				f.tail = append(f.tail[:0], f.tail[maxTail:]...)
			}
			f.tail = append(f.tail, offset)
			position = h.first + uint64(h.records)
			offset += int64(h.length())
		case err != nil && !errors.Is(err, errBlock):
			return err
		default:
			if offset, err = f.nextMagic(offset + 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextMagic finds where a block may begin, from offset on; the size of the file if nowhere.
func (f *File) nextMagic(offset int64) (int64, error) {
	window := make([]byte, tailWindow)
	for offset < f.size {
		n, err := f.r.ReadAt(window[:min(int64(len(window)), f.size-offset)], offset)
		if i := bytes.Index(window[:n], []byte(blockMagic)); i >= 0 {
			return offset + int64(i), nil
		}
		if err != nil && err != io.EOF {
			return 0, err
		}
		if n < len(blockMagic) {
			break
		}
		offset += int64(n - len(blockMagic) + 1)
	}
	return f.size, nil
}
