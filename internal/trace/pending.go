package trace

import (
	"errors"
	"fmt"
)

// ErrTooLarge is what Write returns, wrapped, for a record that no block holds.
var ErrTooLarge = errors.New("record is too large for a block")

// pendingBlock is records not yet in a block.
type pendingBlock struct {
	encoder
	records  uint32
	keep     bool // one of them is irreplaceable
	events   int  // bytes of Events
	contents Contents
	nanos    int64 // of the Keyframe that it begins with
}

func (b *pendingBlock) size() int { return len(b.b) }

// add encodes r into the block, or leaves the block as it was.
func (b *pendingBlock) add(r Record) error {
	size, strings := len(b.b), len(b.strings)
	b.appendRecord(r)
	err := b.err
	if err == nil && len(b.b) > maxBlock {
		err = ErrTooLarge
	}
	if err != nil {
		b.truncate(size, strings)
		return fmt.Errorf("trace: %s: %w", r.kind(), err)
	}
	b.records++
	b.keep = b.keep || layoutOf(r.kind()).traits().has(irreplaceable)
	b.contents |= contentsOf(r)
	if r.kind() == kindEvents {
		b.events += len(b.b) - size
	}
	if k, ok := r.(*Keyframe); ok {
		b.nanos = k.Nanos
	}
	return nil
}

// isBulk reports whether a block is full, and mostly Events.
func (b *pendingBlock) isBulk() bool { return b.size() >= blockTarget && b.events >= b.size()/2 }
