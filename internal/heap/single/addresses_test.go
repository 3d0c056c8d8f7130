package single

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"mallard/internal/abi"
)

// TestByAddress: all objects come in the order of their addresses, each once, however far apart these are.
func TestByAddress(t *testing.T) {
	for name, far := range map[string]uint64{"near": 1 << 10, "as in a heap": 1 << 32, "anywhere": 1 << 62} {
		t.Run(name, func(t *testing.T) {
			table, random := NewTable(Fates{}), rand.New(rand.NewPCG(1, far))
			var want []uint64
			for order := range uint32(20_000) {
				o := Object{Address: 8 * random.Uint64N(far/8), Order: order, Words: 2}
				if order%3 == 0 {
					o.Space = abi.HeapOld
				}
				if order%100 == 0 {
					o.Order = 0
				}
				table.insert(&o)
				if order%7 == 0 && o.Order != 0 {
					table.storeOf(&o).take(order)
					continue
				}
				want = append(want, o.Address)
			}
			slices.Sort(want)
			var got []uint64
			for o := range table.byAddress() {
				got = append(got, o.Address)
			}
			if !slices.Equal(want, got) {
				t.Errorf("%d objects, want %d in order", len(got), len(want))
			}
		})
	}
	for range NewTable(Fates{}).ByAddress() {
		t.Error("an empty table has an object")
	}
}

// TestNewbornByAddress: so do those that were born since a collection, between others, in whatever order events are.
func TestNewbornByAddress(t *testing.T) {
	const events, births = 100, 50
	random, table, want := rand.New(rand.NewPCG(1, 2)), NewTable(Fates{}), []uint64{}
	var list [][]byte
	for _, at := range random.Perm(events) {
		born := make([]listed, births)
		given := uint32(births * len(list))
		for i := range born {
			born[i] = listed{class: 1, words: 2, order: uint64(int(given) + i + 1)}
			want = append(want, uint64(0x1000*(1+at)+16*i))
		}
		born[births/2].order = 0 // not told of as a birth
		e := event(abi.HeapEden, abi.HeapBorn, given, born...)
		binary.LittleEndian.PutUint64(e[abi.HeapSinglesAddress:], uint64(0x1000*(1+at)))
		list = append(list, e)
		o := Object{Address: uint64(0x1000*(1+at) + 16*births), Order: uint32(events*births + at + 1), Words: 2}
		table.insert(&o)
		want = append(want, o.Address)
	}
	table.Born(1, walk(t, 2*events*births, list...), false)
	slices.Sort(want)
	var got []uint64
	for o := range table.ByAddress() {
		got = append(got, o.Address)
	}
	if !slices.Equal(want, got) || table.newborn.n == 0 {
		t.Errorf("%d objects, want %d in order", len(got), len(want))
	}
}
