package heaptest

import (
	"math"
	"math/rand/v2"
	"slices"

	"mallard/internal/abi"
)

// randomObject is one of a random program.
type randomObject struct {
	class  int // as in randomClass
	words  uint64
	order  uint32 // 0: it is locked whenever a walk comes
	at     Place
	locked bool // at the next walk
	life   *Life
}

// randomSingles is a program with single objects, and the agent that gives them orders.
type randomSingles struct {
	*Events
	random  *rand.Rand
	last    uint32 // order
	address uint64
	heap    []*randomObject // in the order in which walks have come to them, but for those that a collection looks at
	leaves  bool            // the walk leaves some objects out
	left    uint64          // by this walk
}

// RandomSingles is a program as Random's, of which each object is told. Numbers of objects are given again after some
// walks. Some objects were hashed before, some of these have one hash, some are locked when walks come, some have their
// site late; some walks leave objects out.
func (e *Events) RandomSingles(random *rand.Rand, pauses int) *Events {
	s := &randomSingles{Events: e, random: random, last: abi.OrderMask - uint32(20*pauses), address: 0x10000}
	e.given = uint64(s.last)
	var moved []*randomObject
	for i := range pauses {
		s.leaves, s.left = s.chance(0.05), 0
		s.tell(moved)
		s.tell(s.born(uint32(i)))
		e.EndSingles(s.left)
		e.Walk(Walk{Collection: uint64(i), Start: uint64(i) * 1e9, Last: i == pauses-1})
		if i < pauses-1 {
			collected := random.Uint64N(3)
			s.Died = append(s.Died, map[string]Row{})
			var freed []uint64
			moved, freed = s.collect(collected, uint32(i))
			e.Finish(uint64(i)*1e9+1e7, collected, freed...)
		}
	}
	return e
}

func (s *randomSingles) chance(of float64) bool { return s.random.Float64() < of }

// born has objects be born before a pause.
func (s *randomSingles) born(pause uint32) (list []*randomObject) {
	for range 30 + s.random.IntN(20) {
		o := &randomObject{class: s.random.IntN(randomClasses), words: 2 + s.random.Uint64N(4), locked: s.chance(0.05)}
		if s.chance(0.1) { // the program has hashed it; behind the last order such a number is met again
			o.order = 1 + s.random.Uint32N(400)
		}
		list = append(list, o)
	}
	if s.chance(0.3) {
		large := Place{Space: abi.HeapHumongous, Region: 1000 + pause}
		list = append(list, &randomObject{words: 2000, at: large})
	}
	for _, o := range list {
		class := randomClass(o.class)
		o.life = &Life{Class: class, Was: class, Bytes: int64(8 * o.words), Born: int(pause), Died: math.MaxInt,
			Promoted: -1}
		s.Lives = append(s.Lives, o.life)
	}
	return list
}

// tell has a walk find objects, those of one place one behind the other. Those that it leaves out are in sums.
func (s *randomSingles) tell(objects []*randomObject) {
	for len(objects) > 0 {
		at, n := objects[0].at, 0
		for n < len(objects) && objects[n].at == at && (n == 0 || !s.chance(0.1)) {
			n++
		}
		s.address += 8 * s.random.Uint64N(3)
		if at.Space == abi.HeapOld || at.Space == abi.HeapHumongous {
			s.address += 8
		}
		before, begin := s.last, s.address
		var list []Single
		for _, o := range objects[:n] {
			s.address += 8 * o.words
			if s.leaves && s.chance(0.3) && len(list) == 0 {
				s.Rows(at, Row{randomClass(o.class), 1, 8 * o.words})
				s.left++
				begin = s.address
				continue
			}
			if next := s.last%abi.OrderMask + 1; !o.locked && (o.order == 0 || o.order == next) {
				o.order, s.last = next, next
				s.given++
			}
			o.locked, o.life.Order = s.chance(0.02), o.order
			list = append(list, Single{randomClass(o.class), o.words, o.order})
		}
		switch {
		case len(list) == 0:
		case at == Place{Space: abi.HeapEden} && before%3 == 0:
			s.Groups(before, list...)
		default:
			s.Singles(at, begin, before, list...)
		}
		for _, o := range objects[:n] {
			o.at.Origin = abi.HeapBorn
		}
		s.heap = append(s.heap, objects[:n]...)
		objects = objects[n:]
	}
}

// collect takes out what is in places that are collected, and gives what lives in the order of places, and the old
// regions among them.
func (s *randomSingles) collect(collected uint64, region uint32) (moved []*randomObject, freed []uint64) {
	frees := map[uint32]bool{}
	kept := s.heap[:0]
	for _, o := range s.heap {
		from := o.at
		young := from.Space == abi.HeapEden || from.Space == abi.HeapSurvivor
		everything := collected == abi.HeapEverything && from.Space != abi.HeapHumongous
		if _, drawn := frees[from.Region]; !young && !drawn {
			frees[from.Region] = everything || s.chance(0.3)
		}
		if !everything && (young && collected == abi.HeapNothing || !young && !frees[from.Region]) {
			kept = append(kept, o)
			continue
		}
		if from.Space == abi.HeapHumongous || s.chance(0.4) {
			s.die(Row{randomClass(o.class), 1, 8 * o.words})
			o.life.Died = int(region)
			continue
		}
		o.at = Place{Space: abi.HeapSurvivor, Origin: abi.HeapMoved, Age: from.Age + 1}
		if !young || from.Age > 2 || everything {
			o.at = Place{Space: abi.HeapOld, Origin: abi.HeapMoved, Region: region}
			if young {
				o.life.Promoted = int(from.Age)
			}
		}
		if o.class%4 == 0 && s.chance(0.1) {
			o.class++ // its site is known now
			o.life.Class, o.life.Sited = randomClass(o.class), int(region)
		}
		moved = append(moved, o)
	}
	s.heap = kept
	for region, is := range frees {
		if is {
			freed = append(freed, uint64(region))
		}
	}
	slices.Sort(freed)
	slices.SortStableFunc(moved, func(a, b *randomObject) int {
		return int(a.at.Space<<8+a.at.Age) - int(b.at.Space<<8+b.at.Age)
	})
	return moved, freed
}
