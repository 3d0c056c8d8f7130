package single

import (
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
	for range NewTable(Fates{}).byAddress() {
		t.Error("an empty table has an object")
	}
}
