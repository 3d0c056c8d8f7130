package heaptest

import (
	"encoding/binary"

	"mallard/internal/abi"
)

// Single is one object.
type Single struct {
	Class string // as in Row
	Words uint64
	Order uint32 // 0: none
}

// Singles adds objects one behind the other to the next walk: an event, and their sums. Given is the order that was
// given last before them.
func (e *Events) Singles(at Place, address uint64, given uint32, list ...Single) {
	var flags, values []byte
	followers, before, order := map[uint32]uint32{}, uint32(0), given
	for i, o := range list {
		e.Rows(at, Row{o.Class, 1, 8 * o.Words})
		flag, class := byte(0), e.number(o.Class)
		if next, known := followers[before]; known && next == class {
			flag = abi.HeapSinglesFollows
		} else {
			values = binary.AppendUvarint(values, uint64(class))
		}
		followers[before], before = class, class
		values = binary.AppendUvarint(values, o.Words)
		switch difference := int64(o.Order) - int64(order); {
		case o.Order == 0:
			values = append(values, 0)
		case difference == 1:
			flag |= abi.HeapSinglesNext
		default:
			values = binary.AppendUvarint(values, 1+(uint64(difference<<1)^uint64(difference>>63)))
		}
		if o.Order != 0 {
			order = o.Order
		}
		if at.Space == abi.HeapSurvivor {
			values = append(values, byte(at.Age))
		}
		if i%4 == 0 {
			flags = append(flags, 0)
		}
		flags[i/4] |= flag << (i % 4 * 2)
	}
	var data []byte
	for _, field := range []uint32{e.walk, at.Space, at.Origin, at.Region, given, uint32(len(list))} {
		data = binary.LittleEndian.AppendUint32(data, field)
	}
	data = append(append(binary.LittleEndian.AppendUint64(data, address), flags...), values...)
	e.Add(abi.EventHeapSingles, data)
	e.singles[0]++
	e.singles[1] += uint64(len(list))
}

// Groups adds objects of eden to the next walk of which nobody knows where they are: an event, and their sums.
func (e *Events) Groups(given uint32, list ...Single) {
	var data []byte
	at, next := Place{Space: abi.HeapEden}, given%abi.OrderMask+1
	for _, field := range []uint32{e.walk, at.Space, at.Origin, at.Region, given, uint32(len(list)), 0, 0} {
		data = binary.LittleEndian.AppendUint32(data, field)
	}
	for i := 0; i < len(list); {
		o, n := list[i], 0
		for ; i < len(list) && list[i] == (Single{o.Class, o.Words, next}); i++ {
			next = next%abi.OrderMask + 1
			n++
		}
		e.Rows(at, Row{o.Class, uint64(max(n, 1)), uint64(max(n, 1)) * 8 * o.Words})
		data = appendNumbers(data, uint64(e.number(o.Class)), o.Words, uint64(n))
		if n == 0 {
			data = appendNumbers(data, uint64(o.Order))
			i++
		}
	}
	e.Add(abi.EventHeapSingles, data)
	e.singles[0]++
	e.singles[1] += uint64(len(list))
	e.singles[2] += uint64(len(list))
}

// EndSingles ends the single objects of the next walk, of which some were left out.
func (e *Events) EndSingles(leftOut uint64) {
	words := make([]uint64, abi.HeapSinglesEndWords)
	words[abi.HeapSinglesEndWalk], words[abi.HeapSinglesEndEvents] = uint64(e.walk), e.singles[0]
	words[abi.HeapSinglesEndGiven], words[abi.HeapSinglesEndUnplaced] = e.given, e.singles[2]
	words[abi.HeapSinglesEndObjects], words[abi.HeapSinglesEndLeftOut] = e.singles[1], leftOut
	e.Add(abi.EventHeapSinglesEnd, wordBytes(words))
	e.singles = [3]uint64{}
}

// Singly is a program with G1 and single objects: of four entries three are promoted; a collection that frees their
// region finds one dead, a full one another. A name that is hashed by the program dies young.
func Singly() *Events { return new(Events).Singly() }

// Singly adds the events of the same program.
func (e *Events) Singly() *Events {
	const entry, name = "demo/Entry", "demo/Name"
	eden := Place{Space: abi.HeapEden}
	old := func(region uint32) Place { return Place{Space: abi.HeapOld, Origin: abi.HeapMoved, Region: region} }
	e.Singles(eden, 0x1000, 0, Single{entry, 4, 1}, Single{entry, 4, 2}, Single{name, 3, 77777}, Single{entry, 4, 3},
		Single{entry, 4, 4}, Single{"demo/Lock", 2, 0})
	e.EndSingles(0)
	e.Walk(Walk{Collection: 0, Start: 1e9, Used: [4]uint64{8 * 21}})
	e.Finish(1.01e9, abi.HeapYoung)

	e.Singles(old(3), 0x8000, 4, Single{entry, 4, 2}, Single{entry, 4, 1}, Single{entry, 4, 4})
	e.Singles(Place{Space: abi.HeapSurvivor, Origin: abi.HeapMoved, Age: 1}, 0x4000, 4, Single{entry, 4, 3},
		Single{"demo/Lock", 2, 5})
	e.EndSingles(0)
	e.Walk(Walk{Collection: 1, Start: 2e9, Used: [4]uint64{0, 8 * 6, 8 * 12}})
	e.Finish(2.01e9, abi.HeapYoung, 3)

	e.Singles(old(4), 0x9000, 5, Single{entry, 4, 1}, Single{entry, 4, 4}, Single{entry, 4, 3})
	e.EndSingles(0)
	e.Walk(Walk{Collection: 2, Start: 3e9, Used: [4]uint64{0, 0, 8 * 12}})
	e.Finish(3.01e9, abi.HeapEverything, 4)

	e.Singles(old(5), 0xa000, 5, Single{entry, 4, 4})
	e.Singles(eden, 0x2000, 5, Single{name, 3, 6}, Single{name, 3, 7})
	e.EndSingles(0)
	e.Walk(Walk{Start: 4e9, Used: [4]uint64{8 * 6, 0, 8 * 4}, Last: true})
	return e
}

// Unplaced is a program with single objects of which nobody knows where they were born: one of three entries lives.
func Unplaced() *Events {
	e := &Events{}
	const entry, name = "demo/Entry", "demo/Name"
	e.Groups(0, Single{entry, 4, 1}, Single{entry, 4, 2}, Single{name, 3, 3}, Single{name, 3, 77777},
		Single{entry, 4, 4}, Single{"demo/Lock", 2, 0})
	e.EndSingles(0)
	e.Walk(Walk{Collection: 0, Start: 1e9, Used: [4]uint64{8 * 20}})
	e.Finish(1.01e9, abi.HeapYoung)

	e.Singles(Place{Space: abi.HeapOld, Origin: abi.HeapMoved}, 0x8000, 4, Single{entry, 4, 2})
	e.Groups(4, Single{name, 3, 5})
	e.EndSingles(0)
	e.Walk(Walk{Start: 2e9, Used: [4]uint64{8 * 3, 0, 8 * 4}, Last: true})
	return e
}

// Doubtful is a program with single objects of which not all is known: a walk has left two out, two entries have one
// hash, and a lock is held whenever a walk comes to it.
func Doubtful() *Events {
	e := &Events{}
	const entry = "demo/Entry"
	eden := Place{Space: abi.HeapEden}
	old := Place{Space: abi.HeapOld, Origin: abi.HeapMoved}
	e.Singles(eden, 0x1000, 0, Single{entry, 4, 1}, Single{entry, 4, 2}, Single{entry, 4, 3}, Single{entry, 4, 4},
		Single{entry, 4, 3}, Single{"demo/Lock", 2, 0})
	e.EndSingles(0)
	e.Walk(Walk{Collection: 0, Start: 1e9, Used: [4]uint64{8 * 22}})
	e.Finish(1.01e9, abi.HeapYoung)

	e.Singles(old, 0x8000, 4, Single{entry, 4, 1}, Single{entry, 4, 3}, Single{"demo/Lock", 2, 0})
	e.Rows(old, Row{entry, 2, 64})
	e.EndSingles(2)
	e.Walk(Walk{Collection: 1, Start: 2e9, Used: [4]uint64{0, 0, 8 * 18}})
	e.Finish(2.01e9, abi.HeapEverything)

	e.Singles(old, 0x8000, 4, Single{entry, 4, 2})
	e.EndSingles(0)
	e.Walk(Walk{Start: 3e9, Used: [4]uint64{0, 0, 8 * 4}, Last: true})
	return e
}
