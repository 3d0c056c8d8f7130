package single

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"mallard/internal/abi"
)

// foreseenEvent has births as most come: of classes that follow each other, every eighth an array that says its length.
func foreseenEvent(walk, given uint32, objects int) []byte {
	const classes = 64
	data := make([]byte, abi.HeapSinglesFlags+(objects+3)/4)
	put := func(at int, n uint32) { binary.LittleEndian.PutUint32(data[at:], n) }
	put(abi.HeapSinglesWalk, walk)
	put(abi.HeapSinglesSpace, abi.HeapEden)
	put(abi.HeapSinglesOrigin, abi.HeapBorn)
	put(abi.HeapSinglesOrder, given)
	put(abi.HeapSinglesObjects, uint32(objects))
	put(abi.HeapSinglesAddress, 8*given)
	for i := range objects {
		class, flags := uint64(abi.HeapFirstClass+i%classes), byte(abi.HeapSinglesNext)
		if i > classes {
			flags |= abi.HeapSinglesFollows
		} else {
			data = binary.AppendUvarint(data, class)
		}
		if class%8 == 0 {
			data = binary.AppendUvarint(data, uint64(2+i%100))
		}
		data[abi.HeapSinglesFlags+i/4] |= flags << (i % 4 * 2)
	}
	return data
}

// BenchmarkBirths follows objects through collections, of which one in 50 lives behind the first one: by what lives
// alone, and with all that dies.
func BenchmarkBirths(b *testing.B) {
	b.Run("living", func(b *testing.B) { benchmarkBirths(b, false) })
	b.Run("all", func(b *testing.B) { benchmarkBirths(b, true) })
}

func benchmarkBirths(b *testing.B, newborn bool) {
	const walks, events, objects, share = 8, 64, 1 << 14, 50
	var data [walks][][]byte
	random, given := rand.New(rand.NewPCG(1, 2)), uint32(0)
	for walk := range uint32(walks) {
		var survivors []listed
		for range min(int(given), events*objects/share) {
			back := random.Uint32N(events * objects)
			survivors = append(survivors, listed{8, 2, uint64(given - back)})
		}
		slices.SortFunc(survivors, func(a, b listed) int { return cmp.Compare(a.order, b.order) })
		survivors = slices.Compact(survivors)
		for some := range slices.Chunk(survivors, abi.HeapSinglesMost) {
			moved := event(abi.HeapEden, abi.HeapMoved, given, some...)
			binary.LittleEndian.PutUint32(moved[abi.HeapSinglesWalk:], walk)
			data[walk] = append(data[walk], moved)
		}
		for range events {
			data[walk] = append(data[walk], foreseenEvent(walk, given, objects))
			given += objects
		}
	}
	classes := func(number uint32) (class int32, bytes uint32, known bool) {
		if number%8 == 0 {
			return int32(number), 0, true
		}
		return int32(number), 16 + 8*(number%4), true
	}
	for b.Loop() {
		dead := 0
		d, table := NewDecoder(classes), NewTable(Fates{Died: func(*Object) { dead++ }, Newborn: newborn})
		for walk, list := range data {
			w := &Walk{Number: uint32(walk), Ended: true}
			for _, e := range list {
				if !w.Add(InMemory(e), d) {
					b.Fatal("damaged")
				}
			}
			w.End.Events, w.End.Objects = w.Events, w.Objects
			if walk > 0 {
				table.Arrive(walk-1, w, false)
			}
			table.Born(walk, w, walk == 0)
			table.Leave(true, nil)
		}
		if most := (walks - 1) * events * objects; newborn && dead < most/2 || dead > most {
			b.Fatalf("%d died", dead)
		}
	}
	b.ReportMetric(float64(b.N*int(given))/b.Elapsed().Seconds()/1e6, "Mbirths/s")
}
