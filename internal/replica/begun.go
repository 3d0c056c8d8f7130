package replica

import "bytes"

// maxBegun bounds what is kept of a set until it ends: some three million groups, four times as much as the ring that
// they come through has room for.
const maxBegun = 64 << 20

// begun is a set that has not ended. The zero value is one without events.
type begun struct {
	set    uint32
	events int64 // that have come
	kept   []keptEvent
	bytes  int // of these
}

type keptEvent struct {
	kind uint16
	data []byte
}

// keep keeps an event, whose data stay the caller's. Of a set that is too large nothing is kept.
func (b *begun) keep(kind uint16, data []byte) {
	b.events++
	if b.bytes += len(data); b.bytes > maxBegun {
		b.kept = nil
		return
	}
	b.kept = append(b.kept, keptEvent{kind, bytes.Clone(data)})
}

// isWhole reports whether all events have come, of which there are to be so many, and are kept.
func (b *begun) isWhole(events int64) bool { return b.events == events && int64(len(b.kept)) == events }
