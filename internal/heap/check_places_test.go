package heap

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/heap/single"
)

// TestPlaces: objects are in the order of addresses, near to each other, or as far as a damaged recording says.
func TestPlaces(t *testing.T) {
	for _, apart := range []uint64{1, 1 << 20, 1 << 40} {
		random := rand.New(rand.NewPCG(1, apart))
		table, want := single.NewTable(single.Fates{}), []uint64{}
		decoder := single.NewDecoder(func(uint32) (int32, uint32, bool) { return 0, 16, true })
		walk := &single.Walk{}
		for order := range uint32(1000) {
			address := 8 * (apart + random.Uint64N(1000*apart))
			want = append(want, address)
			if !walk.Add(single.InMemory(oneSingle(address, order)), decoder) {
				t.Fatal("the event is damaged")
			}
		}
		table.Born(0, walk, true)
		slices.Sort(want)
		var p places
		for range 2 { // with memory that has been used
			p.sort(table)
			var got []uint64
			for _, key := range p.order {
				got = append(got, p.list[key&(1<<indexBits-1)].address)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d words apart: not in order", apart)
			}
		}
	}
}

// oneSingle is an event with one object in the old generation, whose order is the next one.
func oneSingle(address uint64, given uint32) []byte {
	var data []byte
	for _, field := range []uint32{0, abi.HeapOld, abi.HeapMoved, 0, given, 1} {
		data = binary.LittleEndian.AppendUint32(data, field)
	}
	return append(binary.LittleEndian.AppendUint64(data, address), abi.HeapSinglesNext, abi.HeapFirstClass)
}
