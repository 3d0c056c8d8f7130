package replica

import (
	"encoding/binary"
	"math"
	"math/bits"
	"time"

	"mallard/internal/abi"
	"mallard/internal/heap"
)

// maxWords bounds the words of a row: larger heaps there are none, but programs run for long.
const maxWords = 1 << 53

// stage is when contents are looked at: objects are compared with others of the same stage.
type stage uint8

const (
	atBirth stage = iota // when the first collection comes to them
	lived                // when they have come through a first young one
	stages
)

// sums are a row of what was hashed.
type sums struct {
	stage                   stage
	class                   uint32
	objects, bytes, unknown int64
	level                   uint8
}

// groupRow is a row of objects whose contents are equal.
type groupRow struct {
	stage   stage
	class   uint32
	hash    uint64
	objects int64
	size    int64 // bytes of each
}

// numbers reads numbers in LEB128; false where they are damaged.
func numbers(b []byte, to []uint64) (rest []byte, good bool) {
	for i := range to {
		n, length := binary.Uvarint(b)
		if length <= 0 {
			return nil, false
		}
		to[i], b = n, b[length:]
	}
	return b, true
}

// decodeSums calls use with each row, and returns false for what is damaged.
func decodeSums(data []byte, at stage, use func(sums)) (good bool) {
	var n [5]uint64
	for rest := data[abi.ReplicaSumsRows:]; len(rest) > 0; {
		if rest, good = numbers(rest, n[:]); !good {
			return false
		}
		if n[0] >= abi.HeapClasses || n[2] > maxWords || n[1] > n[2] || n[3] > maxWords || n[4] >= abi.ReplicaLevels {
			return false
		}
		use(sums{at, uint32(n[0]), int64(n[1]), 8 * int64(n[2]), int64(n[3]), uint8(n[4])})
	}
	return true
}

// decodeGroups is the same for groups.
func decodeGroups(data []byte, at stage, use func(groupRow)) (good bool) {
	var n [3]uint64
	for rest := data[abi.ReplicaGroupsRows:]; len(rest) > 0; {
		if rest, good = numbers(rest, n[:]); !good || len(rest) < 8 {
			return false
		}
		if n[0] >= abi.HeapClasses || n[1] == 0 || n[1] > maxWords || n[2] > math.MaxUint32 {
			return false
		}
		use(groupRow{at, uint32(n[0]), binary.LittleEndian.Uint64(rest), int64(n[1]), 8 * int64(n[2])})
		rest = rest[8:]
	}
	return true
}

// classRow is what a number stands for.
type classRow struct {
	class uint32
	is    heap.Identity
}

// decodeClass calls use with it, and returns false for what is damaged.
func decodeClass(data []byte, use func(classRow)) (good bool) {
	if len(data) <= abi.ReplicaClassName {
		return false
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	if word(abi.ReplicaClassNumber) >= abi.HeapClasses {
		return false
	}
	is := heap.Identity{Name: string(data[abi.ReplicaClassName:]), Loader: heap.NoLoader,
		Tag: word(abi.ReplicaClassTag)}
	if loader := word(abi.ReplicaClassLoader); loader != math.MaxUint32 {
		is.Loader = heap.Loader(loader)
	}
	use(classRow{word(abi.ReplicaClassNumber), is})
	return true
}

// encode makes the event.
func (c classRow) encode(set uint32) []byte {
	var b []byte
	for _, field := range [...]uint32{abi.ReplicaClassSet / 4: set, abi.ReplicaClassNumber / 4: c.class,
		abi.ReplicaClassTag / 4: c.is.Tag, abi.ReplicaClassLoader / 4: uint32(c.is.Loader)} {
		b = binary.LittleEndian.AppendUint32(b, field)
	}
	return append(b, c.is.Name...)
}

// decodeGone gives how many events a set has of classes that are gone, and returns false for what is damaged.
func decodeGone(data []byte) (set uint32, events int64, good bool) {
	if len(data) != abi.ReplicaGoneBytes {
		return 0, 0, false
	}
	events = int64(binary.LittleEndian.Uint64(data[abi.ReplicaGoneEvents:]))
	return binary.LittleEndian.Uint32(data[abi.ReplicaGoneSet:]), events, events >= 0
}

// encodeGone makes the event.
func encodeGone(set uint32, events int64) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, set), uint64(events))
}

// valueRow is the contents of a group.
type valueRow struct {
	class    uint32
	hash     uint64
	contents Value // of the event's bytes
}

// decodeValue calls use with the contents, and returns false for what is damaged.
func decodeValue(data []byte, use func(valueRow)) (good bool) {
	if len(data) <= abi.ReplicaValueContents || len(data) > abi.ReplicaValueContents+abi.ReplicaValueBytes {
		return false
	}
	class := binary.LittleEndian.Uint32(data[abi.ReplicaValueClass:])
	if class >= abi.HeapClasses {
		return false
	}
	use(valueRow{class, binary.LittleEndian.Uint64(data[abi.ReplicaValueHash:]), data[abi.ReplicaValueContents:]})
	return true
}

// Work is what was done to find copies.
type Work struct {
	Took       time.Duration
	Objects    int64 // hashed
	Walks      int64 // hashed
	Skipped    int64 // walks that were left out, for the sake of the budget
	Incomplete int64 // walks of which some was lost, as there was no room: nothing of them is in what is known
	Depth      int64 // to which contents were compared; 0: references by identity
	Budget     time.Duration
}

// end is what an event says.
type end struct {
	Work
	set    uint32
	events int64
}

// decodeEnd returns false for what is damaged.
func decodeEnd(data []byte) (e end, good bool) {
	if len(data) != 8*abi.ReplicaEndWords {
		return end{}, false
	}
	var words [abi.ReplicaEndWords]int64
	for i := range words {
		if words[i] = int64(binary.LittleEndian.Uint64(data[8*i:])); words[i] < 0 {
			return end{}, false
		}
	}
	if words[abi.ReplicaEndSet] > math.MaxUint32 {
		return end{}, false
	}
	return end{Work{
		Took: time.Duration(words[abi.ReplicaEndNanoseconds]), Objects: words[abi.ReplicaEndObjects],
		Walks: words[abi.ReplicaEndWalks], Skipped: words[abi.ReplicaEndSkipped],
		Incomplete: words[abi.ReplicaEndIncomplete], Depth: words[abi.ReplicaEndDepth],
		Budget: time.Duration(words[abi.ReplicaEndBudget])},
		uint32(words[abi.ReplicaEndSet]), words[abi.ReplicaEndEvents]}, true
}

// encode makes the event.
func (e end) encode() []byte {
	words := [abi.ReplicaEndWords]int64{
		abi.ReplicaEndSet: int64(e.set), abi.ReplicaEndEvents: e.events,
		abi.ReplicaEndNanoseconds: int64(e.Took), abi.ReplicaEndObjects: e.Objects, abi.ReplicaEndWalks: e.Walks,
		abi.ReplicaEndSkipped: e.Skipped, abi.ReplicaEndIncomplete: e.Incomplete, abi.ReplicaEndDepth: e.Depth,
		abi.ReplicaEndBudget: int64(e.Budget)}
	var b []byte
	for _, word := range words {
		b = binary.LittleEndian.AppendUint64(b, uint64(word))
	}
	return b
}

// appendSums and appendGroup add a row.
func appendSums(b []byte, s sums) []byte {
	for _, n := range []int64{int64(s.class), s.objects, s.bytes / 8, s.unknown, int64(s.level)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func appendGroup(b []byte, g groupRow) []byte {
	for _, n := range []int64{int64(g.class), g.objects, g.size / 8} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return binary.LittleEndian.AppendUint64(b, g.hash)
}

// encode makes the event.
func (v valueRow) encode(set uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, set)
	b = binary.LittleEndian.AppendUint32(b, v.class)
	b = binary.LittleEndian.AppendUint64(b, v.hash)
	return append(b, v.contents...)
}

// plus adds what may be absurd.
func plus(a, b int64) int64 {
	sum, carry := bits.Add64(uint64(a), uint64(b), 0)
	if carry != 0 || sum > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(sum)
}

// times multiplies what may be absurd.
func times(a, b int64) int64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if high != 0 || low > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(low)
}
