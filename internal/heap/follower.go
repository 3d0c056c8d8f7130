package heap

import (
	"bytes"
	"encoding/binary"
	"iter"
	"maps"
	"slices"

	"mallard/internal/abi"
	"mallard/internal/heap/single"
	"mallard/internal/trace"
)

// Follower follows the events of a heap as they come, and says in a keyframe what they come to: events behind which a
// replay is where it would be behind all of them. It needs memory for what is held, by class and place, and for the
// classes that have a number or are held; with single objects for each that is held or was born behind the last pause.
// Its methods are for one goroutine.
type Follower struct {
	replayer *replayer
	defined  definitions
	pause    kept     // the end of the last walk, and of its pause
	walk     kept     // rows and single objects of the walk whose end has not come
	pauses   int      // that have begun
	singles  *singles // nil: single objects are left out
}

// NewFollower begins before the first event. It follows each single object, or none.
func NewFollower(each bool) *Follower {
	f := &Follower{replayer: newReplayer(newClasses(nil)), defined: newDefinitions()}
	if each {
		f.replayer.singles.decoder = single.NewDecoder(f.replayer.numbers.single)
		f.singles = &singles{Table: single.NewTable(single.Fates{})}
		f.singles.Same = func(was, is *single.Object) bool {
			return f.defined.isSame(Class(was.Class), Class(is.Class))
		}
	}
	return f
}

// Take takes the next event, whose data stay the caller's.
func (f *Follower) Take(kind uint16, data []byte) {
	r := f.replayer
	switch kind {
	case abi.EventHeapLoader:
		r.numbers.loader(data)
		return
	case abi.EventHeapImplied:
		if class, good := r.numbers.implied(data); good {
			f.defined.imply(class)
		}
		return
	case abi.EventHeapClass:
		if d, good := DecodeDefinition(data); good {
			f.defined.define(&d, r.numbers)
		}
		return
	case abi.EventHeapGone:
		f.forgetNumbers(data)
		return
	case abi.EventHeapSingles, abi.EventHeapSinglesEnd:
		if f.singles == nil {
			return
		}
		data = bytes.Clone(data) // of births no more than this is kept
		f.walk.add(kind, data)
	case abi.EventHeapRows:
		f.walk.add(kind, bytes.Clone(data))
	case abi.EventHeapFinish:
		f.pause.add(kind, bytes.Clone(data))
	case abi.EventHeapWalk:
	default:
		return
	}
	walk := r.event(kind, data)
	if walk == nil {
		return
	}
	before := r.current
	if before != nil {
		r.collect(walk.Unseen)
	}
	r.begin(*walk)
	if f.singles != nil {
		f.follow(before, r.current)
	}
	f.pauses++
	f.walk.clear()
	f.pause.clear()
	f.pause.add(kind, bytes.Clone(data))
}

// follow has single objects be what a walk has seen, behind the collection of the pause before; nil: there was none.
func (f *Follower) follow(before, now *state) {
	if before != nil {
		f.singles.leave(before)
		f.singles.Arrive(f.pauses-1, now.seen, before.Unannounced)
	}
	f.singles.Born(f.pauses, now.seen, before == nil)
}

// forgetNumbers takes an event: what has these numbers is kept as long as it is held.
func (f *Follower) forgetNumbers(data []byte) {
	gone, good := DecodeGone(data)
	if !good {
		return
	}
	for number := range gone {
		if class, known := f.replayer.numbers.class(number); known {
			delete(f.replayer.numbers.classes, number)
			f.defined.unnumber(class)
			f.replayer.singles.forget(number)
		}
	}
	if f.defined.manyGone() {
		f.defined.release(f.held)
	}
}

// held gives the classes of all that is held, some more than once.
func (f *Follower) held(yield func(Class) bool) {
	for class := range f.replayer.heap.classes {
		if !yield(class) {
			return
		}
	}
	if f.singles == nil {
		return
	}
	for o := range f.singles.All() {
		if !yield(Class(o.Class)) {
			return
		}
	}
}

// Keyframe says what all events so far come to. Each record is made when it is asked for, and is the caller's.
func (f *Follower) Keyframe() iter.Seq[*trace.EventsKeyframe] {
	return func(yield func(*trace.EventsKeyframe) bool) {
		r := f.replayer
		out := &parts{yield: yield, lost: uint64(r.lost + r.damaged)}
		f.defined.release(f.held)
		f.defined.put(r.numbers.loaders, out.add)
		if r.current != nil {
			f.rows(out.add)
			if f.singles != nil {
				f.singles.Keyframe(f.pauses-1, r.current.seen, f.defined.single, out.add)
			}
		}
		f.pause.each(out.add)
		f.walk.each(out.add)
		out.end()
	}
}

// Carried is Tags without those of objects that are no more; false where events are missing, or classes had no numbers,
// so that objects may have others.
func (f *Follower) Carried() (tags iter.Seq[uint32], known bool) {
	if r := f.replayer; r.lost+r.damaged > 0 {
		return nil, false
	}
	for class := range f.replayer.heap.classes {
		if class == Other {
			return nil, false
		}
	}
	f.defined.release(f.held)
	return f.Tags(), true
}

// Tags gives the tags of objects that are there, or that the agent has met: those that a keyframe has.
func (f *Follower) Tags() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := range f.defined.list {
			if d := &f.defined.list[i]; d.state != isUnused && d.is.Tag != 0 && !yield(d.is.Tag) {
				return
			}
		}
	}
}

// maxRows bounds the rows of an event.
const maxRows = 16 << 10

// rows gives all that is in the heap as rows of the last walk, in the order of places and classes.
func (f *Follower) rows(put func(kind uint16, data []byte)) {
	heap := f.replayer.heap
	for _, at := range slices.SortedFunc(maps.Keys(heap.places), comparePlaces) {
		t := heap.places[at]
		t.merge()
		for list := range slices.Chunk(t.entries, maxRows) {
			put(abi.EventHeapRows, f.appendRows(nil, uint32(f.replayer.current.Number), at, list))
		}
	}
}

// appendRows encodes rows of a walk, moved to a place.
func (f *Follower) appendRows(data []byte, walk uint32, at place, list []entry) []byte {
	fields := [...]uint32{abi.HeapRowsWalk / 4: walk, abi.HeapRowsSpace / 4: uint32(at.space),
		abi.HeapRowsOrigin / 4: abi.HeapMoved, abi.HeapRowsAge / 4: uint32(at.age), abi.HeapRowsRegion / 4: at.region}
	for _, field := range fields {
		data = binary.LittleEndian.AppendUint32(data, field)
	}
	for _, e := range list {
		data = binary.AppendUvarint(data, uint64(f.defined.number(e.class)))
		data = binary.AppendUvarint(data, uint64(e.Objects))
		data = binary.AppendUvarint(data, uint64(e.Bytes/8))
	}
	return data
}

// kept is events as they came.
type kept []keptEvent

type keptEvent struct {
	kind uint16
	data []byte
}

func (k *kept) add(kind uint16, data []byte) { *k = append(*k, keptEvent{kind, data}) }

func (k *kept) clear() {
	clear(*k)
	*k = (*k)[:0]
}

func (k *kept) each(put func(kind uint16, data []byte)) {
	for _, e := range *k {
		put(e.kind, e.data)
	}
}

// partBytes is how long a part of a keyframe may get, but for its last event.
const partBytes = 256 << 10

// parts makes records of a keyframe, one at a time.
type parts struct {
	yield   func(*trace.EventsKeyframe) bool
	stopped bool // by yield
	part    trace.EventsKeyframe
	number  uint32
	lost    uint64 // events that are known to be missing
}

func (p *parts) add(kind uint16, data []byte) {
	if headers, bytes := len(p.part.Headers), len(p.part.Data); bytes > partBytes {
		p.put(0)
		p.number++
		p.part = trace.EventsKeyframe{Headers: make([]trace.EventHeader, 0, headers), Data: make([]byte, 0, bytes)}
	}
	p.part.Headers = append(p.part.Headers, trace.EventHeader{Kind: kind, Bytes: uint32(len(data))})
	p.part.Data = append(p.part.Data, data...)
}

// end yields the last part, which may have no event.
func (p *parts) end() { p.put(p.number + 1) }

// put yields a part; of is how many there are, 0 for more than that.
func (p *parts) put(of uint32) {
	part := p.part
	part.Observer, part.Part, part.Parts, part.Lost = Observer, p.number, of, p.lost
	p.stopped = p.stopped || !p.yield(&part)
}
