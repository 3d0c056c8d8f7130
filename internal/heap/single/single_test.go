package single

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
)

// listed is an object in an event: all of it is written out.
type listed struct {
	class, words, order uint64 // no order: 0
}

// event has objects in one place, one behind the other from address 0x1000 on.
func event(space, origin, given uint32, list ...listed) []byte {
	header := make([]byte, abi.HeapSinglesFlags)
	put := func(at int, n uint32) { binary.LittleEndian.PutUint32(header[at:], n) }
	put(abi.HeapSinglesSpace, space)
	put(abi.HeapSinglesOrigin, origin)
	put(abi.HeapSinglesOrder, given)
	put(abi.HeapSinglesObjects, uint32(len(list)))
	binary.LittleEndian.PutUint64(header[abi.HeapSinglesAddress:], 0x1000)
	data, before := append(header, make([]byte, (len(list)+3)/4)...), int64(given)
	for _, o := range list {
		difference := int64(o.order) - before
		data = binary.AppendUvarint(data, o.class)
		data = binary.AppendUvarint(data, o.words)
		if o.order == 0 {
			data = append(data, 0)
			continue
		}
		data = binary.AppendUvarint(data, 1+(uint64(difference<<1)^uint64(difference>>63)))
		before = int64(o.order)
	}
	return data
}

// walk takes events, after which so many orders were given in all.
func walk(t *testing.T, given int64, events ...[]byte) *Walk {
	t.Helper()
	w := &Walk{End: End{Given: given}, Ended: true}
	decoder := NewDecoder(func(number uint32) (int32, uint32, bool) { return int32(number), 0, true })
	for _, e := range events {
		if !w.Add(InMemory(e), decoder) {
			t.Fatalf("%x is damaged", e)
		}
	}
	w.End.Events, w.End.Objects = w.Events, w.Objects
	return w
}

// TestClasses: numbers of classes go as far as the agent's.
func TestClasses(t *testing.T) {
	const last = abi.HeapClasses - 1
	w := walk(t, 2, event(abi.HeapEden, abi.HeapBorn, 0, listed{70_000, 2, 1}, listed{last, 2, 2}))
	var classes []int32
	for s := range w.All() {
		classes = append(classes, s.Class)
	}
	if diff := cmp.Diff([]int32{70_000, last}, classes); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	decoder := NewDecoder(func(uint32) (int32, uint32, bool) { return 0, 0, true })
	if new(Walk).Add(InMemory(event(abi.HeapEden, abi.HeapBorn, 0, listed{abi.HeapClasses, 2, 1})), decoder) {
		t.Error("a class has a number that there is not")
	}
}

// grouped has births of eden without addresses. Each number behind the header is one in LEB128.
func grouped(given, objects uint32, numbers ...uint64) []byte {
	data := event(abi.HeapEden, abi.HeapBorn, given)
	binary.LittleEndian.PutUint32(data[abi.HeapSinglesObjects:], objects)
	binary.LittleEndian.PutUint64(data[abi.HeapSinglesAddress:], 0)
	for _, n := range numbers {
		data = binary.AppendUvarint(data, n)
	}
	return data
}

// TestGroups: births without addresses have all else that others have, once they are read, and again; more than there
// are is damage.
func TestGroups(t *testing.T) {
	type seen struct {
		Class        int32
		Words, Order uint32
		New          bool
	}
	want := []seen{{7, 2, abi.OrderMask, true}, {7, 2, 1, true}, {8, 5, 2, true}, {8, 5, 900, false}, {9, 3, 0, false}}
	w := walk(t, 2, grouped(abi.OrderMask-1, 5, 7, 2, 2, 8, 5, 1, 8, 5, 0, 900, 9, 3, 0, 0))
	for range 2 {
		got := map[uint32]seen{}
		for s := range w.All() {
			if s.Address != 0 || s.Space != abi.HeapEden || s.Moved {
				t.Errorf("%+v", s)
			}
			got[s.Order] = seen{s.Class, s.Words, s.Order, s.New}
		}
		for _, s := range want {
			if got[s.Order] != s {
				t.Errorf("%+v, want %+v", got[s.Order], s)
			}
		}
	}
	decoder := NewDecoder(func(number uint32) (int32, uint32, bool) { return int32(number), 0, number < 100 })
	moved, many := grouped(0, 1, 7, 2, 1), grouped(0, abi.HeapSinglesMost+1, 7, 2, abi.HeapSinglesMost+1)
	moved[abi.HeapSinglesOrigin] = abi.HeapMoved
	for _, data := range [][]byte{grouped(0, 1, 7, 2, 2), grouped(0, 3, 7, 2, 2), grouped(0, 2, 7, 2, 1, 9),
		grouped(0, 1, 7, 0, 1), grouped(0, 1, 100, 2, 1), grouped(0, 1, 7, 2, 0, abi.OrderMask+1),
		grouped(0, 1, 7, 2, 1, 7), moved, many} {
		if new(Walk).Add(InMemory(data), decoder) {
			t.Errorf("%x is not damaged", data)
		}
	}
}

// TestPlaces: objects of a walk are where events have them, however many there are, and however large they are.
func TestPlaces(t *testing.T) {
	type place struct {
		Address, Words uint64
		Order          uint32
		Space          uint8
		Moved          bool
	}
	var want []place
	var events [][]byte
	order := uint32(0)
	for i := range uint32(6) {
		space, origin, address := []uint32{abi.HeapEden, abi.HeapOld}[i%2], i%2, uint64(0x1000)
		given := order
		var list []listed
		for k := range 3000 * (1 + int(i)%4) { // up to some pieces
			words := uint64(2 + k%5)
			if i < 2 && k%1000 == 999 {
				words = math.MaxUint32 - uint64(k) // twice that is more than a span has
			}
			order++
			list = append(list, listed{1, words, uint64(order)})
			want = append(want, place{address, words, order, uint8(space), origin == abi.HeapMoved})
			address += 8 * words
		}
		events = append(events, event(space, origin, given, list...))
	}
	var got []place
	w := walk(t, int64(order), events...)
	for s := range w.All() {
		got = append(got, place{s.Address, uint64(s.Words), s.Order, s.Space, s.Moved})
	}
	slices.SortFunc(got, func(a, b place) int { return int(a.Order) - int(b.Order) }) // moved ones come last
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	table := NewTable(Fates{})
	table.Born(0, w, true)
	n := 0
	for o := range table.All() {
		if i := o.Order - 1; o.Address != want[i].Address || o.Space != want[i].Space || o.Born != 0 {
			t.Errorf("%+v should be %+v", o, want[i])
		}
		n++
	}
	if n != len(want) {
		t.Errorf("%d objects, want %d", n, len(want))
	}
}

// TestFirst: what a first walk finds is known from there on, also what a collector has moved there.
func TestFirst(t *testing.T) {
	var died []uint32
	table := NewTable(Fates{Died: func(o *Object) { died = append(died, o.Order) }, Newborn: true})
	table.Born(0, walk(t, 2, event(abi.HeapEden, abi.HeapMoved, 0, listed{1, 2, 1}, listed{1, 2, 2})), true)
	table.Leave(true, nil)
	table.Arrive(0, walk(t, 2, event(abi.HeapOld, abi.HeapMoved, 2, listed{1, 2, 1})), false)
	if diff := cmp.Diff([]uint32{2}, died); diff != "" || table.Late != 0 {
		t.Errorf("%d were not known; died -want +got\n%s", table.Late, diff)
	}
}

// TestAnew: behind a collection that was not announced all that is there is read anew. What is known was not born.
func TestAnew(t *testing.T) {
	var died []uint32
	table := NewTable(Fates{Died: func(o *Object) { died = append(died, o.Order) }, Newborn: true})
	table.Born(0, walk(t, 2, event(abi.HeapEden, abi.HeapBorn, 0, listed{1, 2, 1}, listed{1, 2, 2})), true)
	table.Leave(true, func(*Object) bool { return true })
	again := walk(t, 3, event(abi.HeapOld, abi.HeapBorn, 2, listed{1, 2, 1}), event(abi.HeapEden, abi.HeapBorn, 2,
		listed{1, 2, 3}))
	table.Arrive(0, again, true)
	table.Born(1, again, false)
	got := map[uint32][2]int32{}
	for o := range table.All() {
		got[o.Order] = [2]int32{o.Born, int32(o.Moves)}
	}
	if diff := cmp.Diff(map[uint32][2]int32{1: {0, 1}, 3: {1, 0}}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff([]uint32{2}, died); diff != "" || table.Shared != 0 {
		t.Errorf("%d share a number; died -want +got\n%s", table.Shared, diff)
	}
}

// TestHashes: orders and hashes stand for each other, and hashes are spread.
func TestHashes(t *testing.T) {
	for _, order := range []uint32{1, 2, 77, 1 << 20, abi.OrderMask - 1, abi.OrderMask} {
		if hash := HashOf(order); hash == 0 || hash > abi.OrderMask || OrderOf(hash) != order {
			t.Errorf("%d has the hash %d, which stands for %d", order, hash, OrderOf(hash))
		}
	}
}

// TestAgain: when numbers have run out they are given again. An object that lives and one that is born with its number
// have none from there on; others that are born with a number of a dead one have it.
func TestAgain(t *testing.T) {
	const again = abi.OrderMask + 2
	eden := func(given uint32, list ...listed) []byte { return event(abi.HeapEden, abi.HeapBorn, given, list...) }
	dead := 0
	table := NewTable(Fates{Died: func(*Object) { dead++ }, Newborn: true})
	table.Born(0, walk(t, 2, eden(0, listed{2, 2, 1}, listed{2, 2, 2})), true)
	table.Leave(true, nil)
	table.Arrive(0, walk(t, again, event(abi.HeapOld, abi.HeapMoved, 2, listed{2, 2, 1})), false)
	table.Born(1, walk(t, again, eden(abi.OrderMask, listed{3, 2, 1}, listed{3, 2, 2})), false)
	type seen struct {
		Order       uint32
		Class, Born int32
	}
	got := map[seen]int{}
	for o := range table.All() {
		got[seen{o.Order, o.Class, o.Born}]++
	}
	want := map[seen]int{{0, 2, 0}: 1, {0, 3, 1}: 1, {2, 3, 1}: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if dead != 1 || table.Again != 2 || table.Shared != 0 {
		t.Errorf("%d are dead and %d have met, want 1 and 2", dead, table.Again)
	}
}
