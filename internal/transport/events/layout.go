package events

import "encoding/binary"

// The layout of the memory, which the agent shares (agent/events.c). Integers are little-endian. At 0:
//
//	  0   4  Magic
//	  4   4  LayoutVersion
//	  8   4  how many rings there are
//	 64   4  a futex: 1 while the reader sleeps and wants to be woken
//	128      DescriptorBytes for each ring: u64 offset of its control block, u32 bytes of its data, u32 largest
//	         record, u32 bytes unread at which the reader is woken, u32 those at which less is recorded, u32 levels,
//	         u32 calm collections after which more is recorded
//
// A ring is a control block of ControlBytes and the data. In the control block, in parentheses who writes it:
//
//	  0   8  bytes that may be read, since the start (producer)
//	 64   8  bytes that have been read (reader)
//	128   8  since when records are left out that the ring has no record of, nanoseconds of CLOCK_MONOTONIC, 0 none
//	         (producer)
//	136   4  level (producer)
//	144      for each kind, u64 records that were left out since the start (producer)
//
// The data are records at multiples of 8, none of which goes beyond the end: u32 bytes, u16 kind, u16 stamp, the bytes.
// The stamp is the upper 16 bits of the product of Stamp and the record's position since the start.
const (
	Magic           = 0x4556454d // "MEVE"
	LayoutVersion   = 1
	AsleepOffset    = 64
	Descriptors     = 128
	DescriptorBytes = 32
	MaxRings        = 64

	ControlBytes    = 4 << 10 // of the memory's own as well
	CommittedOffset = 0
	ReadOffset      = 64
	LosingOffset    = 128
	LevelOffset     = 136
	LostOffset      = 144

	HeaderBytes = 8
	Stamp       = 0x9e3779b97f4a7c15
)

// Kind says what a record is. Kinds belong to observers, and are the same in all rings.
type Kind uint16

// The kinds of the rings' own. Observers have those from FirstKind on.
const (
	Padding   Kind = 0 // up to the end of the data
	LossKind  Kind = 1 // what was left out
	FirstKind Kind = 2
	Kinds          = 64 // there are no more
)

// A record of LossKind: u64 from, u64 to, nanoseconds of CLOCK_MONOTONIC, u32 level before, u32 level after, and for
// each kind that was left out u64 kind, u64 records.
const (
	lossBytes  = 24
	countBytes = 16
)

func stamp(position uint64) uint16 { return uint16(position * Stamp >> 48) }

// recordBytes is what a record takes of the data.
func recordBytes(size uint32) uint64 { return HeaderBytes + (uint64(size)+7)&^7 }

type recordHeader struct {
	size  uint32
	kind  Kind
	stamp uint16
}

func headerOf(b []byte) recordHeader {
	u := binary.LittleEndian.Uint64(b)
	return recordHeader{uint32(u), Kind(u >> 32), uint16(u >> 48)}
}
