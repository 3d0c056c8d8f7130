package classcache

import (
	"encoding/binary"
	"math/bits"
)

// The header, in bytes:
//
//	 0  8  magic
//	 8  4  version
//	12  4  slots
//	16  4  entries
//	20  4  hashOf the header with 0 here, lower half
//	24  8  length of the file
//	32  8  where the slots begin
const (
	magic      = "MALLCLS\n"
	version    = 1
	headerSize = 40
	slotSize   = 4
	unit       = 8 // of slots' contents
)

// An entry begins with:
//
//	 0  8  hashOf the class
//	 8  8  hashOf patches and new bytes, with the padding of both
//	16  8  hashOf the meaning
//	24  4  length of the class
//	28  4  length of the new bytes
//	32  4  counters
//	36  4  patches
//	40  4  length of the meaning
//	44  4  0
const entryHeader = 48

// MaxBytes bounds a cache file. Classes that no longer fit are instrumented anew each time.
const MaxBytes = 192 << 20

// maxSlots bounds the table of slots.
const maxSlots = 1 << 22

// hashOf mixes a class's bytes, eight at a time, and their number. It only has to spread: what has the same hash is compared.
func hashOf(b []byte) uint64 {
	const factor = 0x9E3779B97F4A7C15
	h := uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * factor
		h ^= h >> 32
	}
	var last uint64
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	h = (h ^ last) * factor
	return h ^ h>>32
}

// slotsFor gives the size of a table that is at most half full.
func slotsFor(entries int) uint32 { return 1 << bits.Len(uint(2*max(entries, 8)-1)) }

// padded rounds a length up to a whole number of units.
func padded(n uint64) uint64 { return (n + unit - 1) &^ (unit - 1) }
