package heap

import "time"

// Causes are why the JVM has collected, as its log says it, by the number of the collection there; as far as they are
// known.
type Causes map[int64]string

// humongousCause is the cause of collections that make room for an object of more than half a region, or are to find
// out what is dead before there is none.
const humongousCause = "G1 Humongous Allocation"

// forRoom are causes of full collections that nobody has asked for: there was no room.
var forRoom = map[string]bool{"Allocation Failure": true, "Ergonomics": true, "G1 Compaction Pause": true,
	"G1 Evacuation Pause": true, "G1 Humongous Allocation": true, "GCLocker Initiated GC": true}

// Of is that of a pause, of the last collection in it; "" if it is not known. With Serial a full collection may come
// behind a young one.
func (c Causes) Of(h *History, pause int) string {
	p := &h.Pauses[pause]
	if cause := c[p.Collection+1]; cause != "" && h.isIn(p.Collection+1, pause) {
		return cause
	}
	return c[p.Collection]
}

// Stopped is how long the world stood still, without the walk.
func (p *Pause) Stopped() time.Duration {
	if p.Ended {
		return 0
	}
	return max(0, p.Finish-p.Start-p.Took)
}
