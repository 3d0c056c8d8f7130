package trace

import "fmt"

// contentsOf says what the record adds to the contents of its block.
func contentsOf(r Record) Contents {
	switch r.(type) {
	case *Keyframe:
		return BeginsKeyframe
	case *Index:
		return HasIndex
	}
	switch is := layoutOf(r.kind()).traits(); {
	case is.has(naming):
		return Definitions
	case is.has(summary):
		return Summaries
	}
	return 0
}

// recordIn decodes a record, which must be one that a block with the header may hold.
func (d *decoder) recordIn(h *blockHeader, first bool) (Record, error) {
	r, err := d.record()
	if err != nil || h.version < 2 {
		return r, err
	}
	is := contentsOf(r)
	if is&^h.contents != 0 || (is^h.contents)&Definitions != 0 || is == BeginsKeyframe && !first {
		return nil, fmt.Errorf("%s does not belong into this block", r.kind())
	}
	return r, nil
}
