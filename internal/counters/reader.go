package counters

import (
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"mallard/internal/trace"
)

// A Reader reads blocks. It is for one goroutine.
type Reader struct {
	memory *Memory
	buffer [64 << 10]byte
}

// NewReader makes a Reader.
func (m *Memory) NewReader() *Reader { return &Reader{memory: m} }

// Read calls yield with every counter in a range that is not zero, ascending. Only memory that was written to is looked
// at: the rest has no storage, and reading it through a mapping would give it some.
func (r *Reader) Read(b Block, of Range, yield func(trace.CounterID, int64)) error {
	m := r.memory
	fd := int(m.file.Fd())
	end := m.offset(b, of.End)
	for at := m.offset(b, of.First); at < end; {
		start, err := unix.Seek(fd, at, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) || err == nil && start >= end {
			return nil
		}
		if err != nil {
			return err
		}
		stop, err := unix.Seek(fd, start, unix.SEEK_HOLE)
		if err != nil {
			return err
		}
		for at = start; at < min(stop, end); {
			n, err := unix.Pread(fd, r.buffer[:min(int64(len(r.buffer)), min(stop, end)-at)], at)
			if err != nil {
				return err
			}
			if n < 8 {
				return fmt.Errorf("%d bytes at %d", n, at)
			}
			first := trace.CounterID((at - m.offset(b, 0)) / 8)
			for i := 0; i+8 <= n; i += 8 {
				if v := int64(binary.LittleEndian.Uint64(r.buffer[i:])); v != 0 {
					yield(first+trace.CounterID(i/8), v)
				}
			}
			at += int64(n)
		}
	}
	return nil
}
