package heap

import (
	"encoding/binary"
	"iter"
	"maps"
	"math"
	"time"

	"mallard/internal/abi"
)

// rows are objects in one place, by class.
type rows struct {
	walk  uint32
	moved bool // by the collector; else born there
	at    place
	list  []row
}

type row struct {
	number uint32 // of the class, in the recording
	Amount
}

// maxWords bounds the words of a row: larger heaps there are none.
const maxWords = 1 << 43

// decodeRows returns false for what is damaged. The list takes no more memory than a few times the data.
func decodeRows(data []byte) (r rows, good bool) {
	if len(data) < abi.HeapRowsRows {
		return rows{}, false
	}
	field := func(offset int) uint32 { return binary.LittleEndian.Uint32(data[offset:]) }
	space, origin, age := field(abi.HeapRowsSpace), field(abi.HeapRowsOrigin), field(abi.HeapRowsAge)
	if space >= abi.HeapSpaces || origin > abi.HeapMoved || age >= abi.HeapAges {
		return rows{}, false
	}
	r = rows{walk: field(abi.HeapRowsWalk), moved: origin == abi.HeapMoved,
		at: place{Space(space), uint8(age), field(abi.HeapRowsRegion)}}
	for rest := data[abi.HeapRowsRows:]; len(rest) > 0; {
		var numbers [3]uint64
		for i := range numbers {
			n, length := binary.Uvarint(rest)
			if length <= 0 {
				return rows{}, false
			}
			numbers[i], rest = n, rest[length:]
		}
		class, objects, words := numbers[0], numbers[1], numbers[2]
		if class > math.MaxUint32 || words > maxWords || objects > words {
			return rows{}, false
		}
		r.list = append(r.list, row{uint32(class), Amount{int64(objects), 8 * int64(words)}})
	}
	return r, true
}

// Births gives the number of the walk that rows are of, and how many objects of which class they say were born, by its
// number; none where they are damaged, or of what was moved.
func Births(data []byte) (walk uint32, born iter.Seq2[uint32, int64]) {
	r, good := decodeRows(data)
	return r.walk, func(yield func(uint32, int64) bool) {
		for _, row := range r.list {
			if !good || r.moved || !yield(row.number, row.Objects) {
				return
			}
		}
	}
}

// Walk is what the agent says of a walk itself.
type Walk struct {
	Number     int64         // walks before it
	Start      time.Duration // since the recording began
	Took       time.Duration
	Collection int64 // the pause's number in the JVM's log; None
	// what the JVM says, bytes
	Used   [Spaces]int64
	Unused int64 // of these, the ends of threads' allocation buffers, in eden
	Unread int64 // of these, what could not be read, anywhere
	Last   bool  // at the JVM's end
	// since the pause before a full collection came that the JVM has not announced: what was born right before it is
	// not known
	Unseen bool
	Early  int64 // bytes of eden that were read while the program ran
	// G1's regions, or other collectors' spaces, and threads' allocation buffers: each as a whole by itself
	Regions, Buffers Wholes

	rows int64 // events
}

// Wholes are parts of the heap of which what was read is held against what the JVM says is used.
type Wholes struct {
	Compared int64 // regions that are not free, spaces, or buffers with objects
	Other    int64 // of these, those of which not each byte was read once
	Bytes    int64 // by which these differ, more or less; of buffers it is not known
}

func (w Wholes) plus(more Wholes) Wholes {
	return Wholes{saturated(w.Compared, more.Compared), saturated(w.Other, more.Other), saturated(w.Bytes, more.Bytes)}
}

// None is the number of a pause that is no collection's.
const None = math.MaxUint32

// decodeWalk returns false for what is damaged. Words that the recording is too old to have are 0.
func decodeWalk(data []byte) (w Walk, good bool) {
	if len(data) != 8*abi.HeapWalkWords && len(data) != 8*abi.HeapWalkWithEarly && len(data) != 8*abi.HeapWalkEarlier {
		return Walk{}, false
	}
	var words [abi.HeapWalkWords]int64
	for i := range len(data) / 8 {
		if words[i] = int64(binary.LittleEndian.Uint64(data[8*i:])); words[i] < 0 {
			return Walk{}, false
		}
	}
	w = Walk{
		Number: words[abi.HeapWalkNumber], Start: time.Duration(words[abi.HeapWalkStart]),
		Took: time.Duration(words[abi.HeapWalkNanoseconds]), Collection: words[abi.HeapWalkCollection],
		Unused: words[abi.HeapWalkUnused], Unread: words[abi.HeapWalkUnread], Last: words[abi.HeapWalkLast] == 1,
		Unseen: words[abi.HeapWalkUnseen] == 1, Early: words[abi.HeapWalkEarly], rows: words[abi.HeapWalkRows],
		Regions: Wholes{words[abi.HeapWalkRegions], words[abi.HeapWalkOtherRegions], words[abi.HeapWalkOtherBytes]},
		Buffers: Wholes{Compared: words[abi.HeapWalkBuffers], Other: words[abi.HeapWalkOtherBuffers]},
	}
	copy(w.Used[:], words[abi.HeapWalkUsed:])
	if w.Collection > None || w.rows > math.MaxUint32 {
		return Walk{}, false
	}
	for _, bytes := range append(w.Used[:], w.Unused, w.Unread, w.Early, w.Regions.Bytes) {
		if bytes > 8*maxWords {
			return Walk{}, false
		}
	}
	return w, w.Regions.Other <= w.Regions.Compared && w.Buffers.Other <= w.Buffers.Compared
}

// WalkStart says when a walk began, by an event that is its end, since the recording did; false for what is damaged.
func WalkStart(data []byte) (start time.Duration, good bool) {
	w, good := decodeWalk(data)
	return w.Start, good
}

// Collected is what a pause has collected.
type Collected uint8

// What a pause may have collected.
const (
	Nothing    Collected = abi.HeapNothing // of the young generation
	Young      Collected = abi.HeapYoung
	Everything Collected = abi.HeapEverything
)

var collectedNames = [...]string{"nothing", "young", "full"}

// String returns the word for c in reports.
func (c Collected) String() string { return collectedNames[c] }

// finish is what a pause has done.
type finish struct {
	walk      int64
	time      time.Duration
	collected Collected
	freed     map[uint32]bool // regions
}

// merge adds the regions that another event of the same pause has; false if it is of none, or of another one. Nil has
// nothing to be added to.
func (f *finish) merge(other *finish) bool {
	if f == nil {
		return true
	}
	if f.time != other.time || f.collected != other.collected {
		return false
	}
	maps.Copy(f.freed, other.freed)
	return true
}

// decodeFinish returns false for what is damaged.
func decodeFinish(data []byte) (f finish, good bool) {
	if len(data) < 8*abi.HeapFinishFreed || len(data)%8 != 0 {
		return finish{}, false
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8*i:]) }
	at, collected := word(abi.HeapFinishTime), word(abi.HeapFinishCollected)
	if at > math.MaxInt64 || collected > abi.HeapEverything {
		return finish{}, false
	}
	f = finish{walk: int64(word(abi.HeapFinishWalk)), time: time.Duration(at), collected: Collected(collected),
		freed: map[uint32]bool{}}
	for i := abi.HeapFinishFreed; i < len(data)/8; i++ {
		region := word(i)
		if region > math.MaxUint32 {
			return finish{}, false
		}
		f.freed[uint32(region)] = true
	}
	return f, true
}
