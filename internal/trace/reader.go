package trace

import "io"

// Reader gives the records of a recording in order.
type Reader struct{ r io.Reader }

// NewReader reads the header of a finished recording.
func NewReader(r io.Reader) (*Reader, error) { return &Reader{r: r}, nil }

// NewTailReader reads a recording that may still be growing: an incomplete
// block at the end is not damage, and Next may be called again after io.EOF.
func NewTailReader(r io.Reader) (*Reader, error) { return &Reader{r: r}, nil }

// Next returns the next record, which the caller owns; io.EOF at the end.
func (r *Reader) Next() (Record, error) { return nil, io.EOF }

// Damage lists what Next skipped so far, in file order.
func (r *Reader) Damage() []*Damage { return nil }
