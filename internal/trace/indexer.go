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

// writeIndex writes an Index behind a keyframe, behind many blocks, and behind the End.
func (w *Writer) writeIndex() error {
	if !w.index.due() {
		return nil
	}
	record := &Index{Previous: w.index.previous, Blocks: w.index.blocks}
	w.index.blocks, w.index.keyframe = nil, false
	if err := w.counts.add(record); err != nil {
		return err
	}
	return w.sealAndWrite()
}
