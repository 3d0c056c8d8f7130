package trace

// indexer collects what the next Index says.
type indexer struct {
	blocks   []IndexedBlock
	previous uint64 // offset of the block with the last Index
	keyframe bool   // one of blocks begins with one
	ended    bool   // the recording has its End
}

// pass takes note of a record that is written.
func (x *indexer) pass(r Record) {
	if _, end := r.(*End); end {
		x.ended = true
	}
}

// add takes note of a block that is in the file.
func (x *indexer) add(b IndexedBlock) {
	if b.Contents&HasIndex != 0 {
		x.previous = b.Offset
	}
	if b.Contents&^HasIndex != 0 {
		x.blocks = append(x.blocks, b)
		x.keyframe = x.keyframe || b.Contents&BeginsKeyframe != 0
	}
}

// due reports whether it is time for an Index.
func (x *indexer) due() bool {
	if x.ended {
		return len(x.blocks) >= indexFrom || len(x.blocks) > 0 && x.previous > 0
	}
	return x.keyframe || len(x.blocks) >= indexEvery
}

// take gives the Index of all blocks since the last one.
func (x *indexer) take() *Index {
	record := &Index{Previous: x.previous, Blocks: x.blocks}
	x.blocks, x.keyframe = nil, false
	return record
}
