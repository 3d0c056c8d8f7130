package classfile

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// The index of a pool is an open hash table over the bytes of its entries:
//
//  1. It has a power of two of slots, at least half of them free (index 0).
//  2. An entry goes to the first free slot from its hash on.
//  3. An entry equal to one already there is left out. So the lowest index
//     wins, and a pool of equal entries costs no more than any other.
//
// The hash is seeded at random, so no class file can choose its collisions.
var hashSeed = maphash.MakeSeed()

// minSlots leaves room for the constants of an instrumenter before the first
// time the table grows.
const minSlots = 64

// buildIndex enters the parsed entries. Add keeps the index up to date from
// then on; what Append adds never gets in.
func (p *Pool) buildIndex() {
	p.slots = make([]PoolIndex, slotsFor(p.Len()))
	for i := 1; i < p.Len(); i++ {
		off := int(p.offsets[i])
		if off == 0 {
			continue
		}
		if off >= len(p.base) {
			break
		}
		e := p.base[off:]
		slot, found := p.findSlot(e[:sizeOf(e)])
		if found == 0 {
			p.slots[slot] = PoolIndex(i)
			p.used++
		}
	}
}

// slotsFor returns a table size for n entries and a few more.
func slotsFor(n int) int {
	return 1 << bits.Len(uint(2*n+minSlots))
}

// findSlot returns the slot and the index of the entry with exactly these
// bytes, or the free slot where it belongs and index 0.
func (p *Pool) findSlot(e []byte) (slot int, found PoolIndex) {
	mask := len(p.slots) - 1
	slot = int(maphash.Bytes(hashSeed, e)) & mask
	for {
		i := p.slots[slot]
		if i == 0 || bytes.HasPrefix(p.entry(i), e) {
			return slot, i
		}
		slot = (slot + 1) & mask
	}
}

// fillSlot enters an entry at the slot that findSlot chose, and doubles the
// table when it is half full.
func (p *Pool) fillSlot(slot int, i PoolIndex) {
	p.slots[slot] = i
	p.used++
	if 2*p.used <= len(p.slots) {
		return
	}
	old := p.slots
	p.slots = make([]PoolIndex, 2*len(old))
	for _, i := range old {
		if i == 0 {
			continue
		}
		e := p.entry(i)
		slot, _ := p.findSlot(e[:sizeOf(e)])
		p.slots[slot] = i
	}
}
