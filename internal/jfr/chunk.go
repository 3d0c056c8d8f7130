package jfr

import (
	"bufio"
	"encoding/binary"
	"io"
	"slices"
	"time"
)

const (
	headerSize = 68
	major      = 2
	minor      = 1
	flags      = 1 | 2 // integers are compressed; there is no other chunk

	// TicksPerSecond is the unit of instants: nanoseconds since Chunk.Started.
	TicksPerSecond = 1e9

	// poolTarget is the size at which a checkpoint ends, and the next one begins.
	poolTarget = 256 << 10
)

// Chunk is a file of one chunk.
type Chunk struct {
	Started  time.Time
	Duration time.Duration
	Types    []Type // besides those that there are in each file

	// Contents gives the events and the values of the constant pools, in any order, the same each time: it is called
	// twice, since the header has what comes of it.
	Contents func(*Writer)
}

// Writer takes the contents of a chunk.
type Writer struct {
	out       *bufio.Writer
	at        int64 // offset in the file
	event     []byte
	last      int64 // offset of the last checkpoint; 0 for none
	pools     []pool
	poolBytes int
	err       error
}

// pool is values of a type that are yet to be written.
type pool struct {
	of     TypeID
	count  int64
	values []byte
}

// Write writes the file. Errors are those of w.
func (c *Chunk) Write(w io.Writer) error {
	types := metadata(slices.Concat(known, c.Types))
	measured := c.write(io.Discard, types)
	header := make([]byte, headerSize)
	copy(header, "FLR\x00")
	put := binary.BigEndian
	put.PutUint16(header[4:], major)
	put.PutUint16(header[6:], minor)
	put.PutUint64(header[8:], uint64(measured.at))
	put.PutUint64(header[16:], uint64(measured.last))
	put.PutUint64(header[24:], headerSize) // of the metadata
	put.PutUint64(header[32:], uint64(c.Started.UnixNano()))
	put.PutUint64(header[40:], uint64(c.Duration))
	put.PutUint64(header[48:], 0) // ticks at the start
	put.PutUint64(header[56:], TicksPerSecond)
	header[67] = flags
	if _, err := w.Write(header); err != nil {
		return err
	}
	return c.write(w, types).err
}

// write writes all but the header.
func (c *Chunk) write(to io.Writer, types []byte) *Writer {
	w := &Writer{out: bufio.NewWriterSize(to, 64<<10), at: headerSize}
	w.append(types)
	c.Contents(w)
	w.checkpoint()
	if err := w.out.Flush(); w.err == nil {
		w.err = err
	}
	return w
}

func (w *Writer) append(body []byte) {
	w.event = appendEvent(w.event[:0], body)
	w.at += int64(len(w.event))
	if _, err := w.out.Write(w.event); w.err == nil {
		w.err = err
	}
}

// Event adds an event.
func (w *Writer) Event(of TypeID, v *Values) {
	w.append(append(appendInt(make([]byte, 0, len(v.b)+2), int64(of)), v.b...))
}

// Value adds a value to a type's constant pool, which has a key of its own above 0.
func (w *Writer) Value(of TypeID, key int64, v *Values) {
	at := slices.IndexFunc(w.pools, func(p pool) bool { return p.of == of })
	if at < 0 {
		at = len(w.pools)
		w.pools = append(w.pools, pool{of: of})
	}
	p := &w.pools[at]
	p.count++
	before := len(p.values)
	p.values = append(appendInt(p.values, key), v.b...)
	if w.poolBytes += len(p.values) - before; w.poolBytes >= poolTarget {
		w.checkpoint()
	}
}

// checkpoint writes the values of pools.
func (w *Writer) checkpoint() {
	if len(w.pools) == 0 && w.last > 0 {
		return
	}
	delta := int64(0) // none before
	if w.last > 0 {
		delta = w.last - w.at
	}
	w.last = w.at
	body := appendInt(nil, int64(checkpointType))
	body = appendInt(body, 0) // start
	body = appendInt(body, 0) // duration
	body = appendInt(body, delta)
	body = append(body, 0) // not one of a flush
	body = appendInt(body, int64(len(w.pools)))
	for _, p := range w.pools {
		body = appendInt(body, int64(p.of))
		body = appendInt(body, p.count)
		body = append(body, p.values...)
	}
	w.pools, w.poolBytes = nil, 0
	w.append(body)
}
