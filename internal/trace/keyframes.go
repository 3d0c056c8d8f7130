package trace

// keyframes knows how large the last keyframe was, and how much has been written since. Sizes are of payloads, so
// that they do not depend on what the disk has taken.
type keyframes struct {
	before       int // payloads of sealed blocks
	begun, ended int // of the last keyframe
	open         bool
}

// pass takes note of a record; size is that of the block with it.
func (k *keyframes) pass(r Record, size int) {
	switch r.(type) {
	case *Keyframe:
		k.open, k.begun = true, k.before
	case *Mark:
		if k.open {
			k.open, k.ended = false, k.before+size
		}
	}
}

// sealed takes note of the size of a block.
func (k *keyframes) sealed(size int) { k.before += size }

// due reports whether enough was written since the last keyframe for another one to add little to the file: at most an
// eighth, and no more than that would be read in vain. pending is the size of the block that is not sealed yet.
func (k *keyframes) due(pending int) bool {
	since := k.before + pending - k.ended
	return !k.open && since >= keyframeSpacing*(k.ended-k.begun)
}
