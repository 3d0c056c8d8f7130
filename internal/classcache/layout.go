package classcache

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"mallard/internal/abi"
)

// ErrInvalid is what Open returns, wrapped, for a file that is no whole cache of this version.
var ErrInvalid = errors.New("not a class cache")

// magic is what the file begins with; package abi has the layout.
const magic = "MALLCLS\n"

// MaxBytes bounds a cache file. Classes that no longer fit are instrumented anew each time.
const MaxBytes = 192 << 20

// maxSlots bounds the table of slots.
const maxSlots = 1 << 22

// hashOf mixes a class's bytes, eight at a time, and their number. It only has to spread: what has the same hash is
// compared.
func hashOf(b []byte) uint64 {
	h := uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * abi.CacheHashStep
		h ^= h >> 32
	}
	var last uint64
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	h = (h ^ last) * abi.CacheHashStep
	return h ^ h>>32
}

// slotsFor gives the size of a table that is at most half full.
func slotsFor(entries int) uint32 { return 1 << bits.Len(uint(2*max(entries, 8)-1)) }

// padded rounds a length up to a whole number of units.
func padded(n uint64) uint64 { return (n + abi.CacheUnit - 1) &^ (abi.CacheUnit - 1) }
