package heaptest

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"mallard/internal/abi"
)

// randomClasses is how many classes a random program has; every second one is the one before with a tag, and two
// loaders have each name.
const randomClasses = 8

// randomHeap is how many objects of each class there are in each place.
type randomHeap map[Place][randomClasses]uint64

func (h randomHeap) add(at Place, class int, objects uint64) {
	all := h[at]
	all[class] += objects
	h[at] = all
}

// places are in order, so that a seed has the same events each time.
func (h randomHeap) places() []Place {
	return slices.SortedFunc(maps.Keys(h), func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Space, b.Space), cmp.Compare(a.Age, b.Age), cmp.Compare(a.Region, b.Region))
	})
}

// Random is a program with G1 whose objects live for a random time: pauses that collect nothing, the young generation,
// some old regions too, or everything.
func Random(random *rand.Rand, pauses int) *Events { return new(Events).Random(random, pauses) }

// Random adds the events of such a program.
func (e *Events) Random(random *rand.Rand, pauses int) *Events {
	heap, moved := randomHeap{}, randomHeap{}
	for i := range pauses {
		born := randomHeap{}
		for range 5 {
			born.add(Place{}, random.IntN(randomClasses), 1+random.Uint64N(1000))
		}
		if random.IntN(3) == 0 {
			born.add(Place{Space: abi.HeapHumongous, Region: uint32(1000 + i)}, 0, 1)
		}
		heap.arrive(e, abi.HeapMoved, moved)
		heap.arrive(e, abi.HeapBorn, born)
		e.Walk(Walk{Collection: uint64(i), Start: uint64(i) * 1e9})
		collected := random.Uint64N(3)
		var freed []uint64
		e.Died = append(e.Died, map[string]Row{})
		moved, freed = heap.collect(e, random, collected, uint32(i))
		e.Finish(uint64(i)*1e9+1e7, collected, freed...)
	}
	return e
}

// arrive adds what a walk finds.
func (h randomHeap) arrive(e *Events, origin uint32, found randomHeap) {
	for _, at := range found.places() {
		var rows []Row
		for class, n := range found[at] {
			if n > 0 {
				rows = append(rows, Row{randomClass(class), n, 24 * n})
				h.add(at, class, n)
			}
		}
		at.Origin = origin
		e.Rows(at, rows...)
	}
}

// randomClass is the name of one.
func randomClass(i int) string {
	name := fmt.Sprintf("demo/Class%d#%d", i/4, 1+i/2)
	if i%2 == 0 {
		return name
	}
	return fmt.Sprintf("%s@%d", name, i)
}

// collect takes out what is in places that are collected, and gives what lives, and the old regions among them.
func (h randomHeap) collect(e *Events, random *rand.Rand, collected uint64, region uint32) (moved randomHeap,
	freed []uint64) {
	moved = randomHeap{}
	for _, at := range h.places() {
		young := at.Space == abi.HeapEden || at.Space == abi.HeapSurvivor
		everything := collected == abi.HeapEverything && at.Space != abi.HeapHumongous
		if !everything && (young && collected == abi.HeapNothing || !young && random.IntN(3) > 0) {
			continue
		}
		if !young {
			freed = append(freed, uint64(at.Region))
		}
		to := Place{Space: abi.HeapSurvivor, Age: at.Age + 1}
		if !young || at.Age > 2 || everything {
			to = Place{Space: abi.HeapOld, Region: region}
		}
		for class, n := range h[at] {
			lives := random.Uint64N(n + 1)
			if at.Space == abi.HeapHumongous {
				lives = 0
			}
			if lives > 0 {
				moved.add(to, class, lives)
			}
			e.die(Row{randomClass(class), n - lives, 24 * (n - lives)})
		}
		delete(h, at)
	}
	return moved, freed
}
