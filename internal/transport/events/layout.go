package events

import (
	"encoding/binary"
	"unsafe"

	"mallard/internal/abi"
)

// The layout of the memory, which the agent shares (agent/events.c); package abi has what it means.
const (
	Magic           = abi.EventMagic
	LayoutVersion   = abi.EventVersion
	AsleepOffset    = abi.EventAsleep
	Descriptors     = abi.EventDescriptors
	DescriptorBytes = abi.EventDescriptor
	MaxRings        = abi.EventRings

	ControlBytes    = abi.EventControl
	CommittedOffset = abi.EventCommitted
	ReadOffset      = abi.EventRead
	LosingOffset    = abi.EventLosing
	LevelOffset     = abi.EventLevel
	LostOffset      = abi.EventLost

	HeaderBytes = abi.EventHeader
	Stamp       = abi.EventStamp
)

// Kind says what a record is. Kinds belong to observers, and are the same in all rings.
type Kind uint16

// The kinds of the rings' own. Observers have those from FirstKind on.
const (
	Padding   Kind = abi.EventPadding
	LossKind  Kind = abi.EventLoss
	FirstKind Kind = abi.EventFirst
	Kinds          = abi.EventKinds
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

// word and word32 are words of the memory, which other processes read and write.
func word(b []byte, at int) *uint64   { return (*uint64)(unsafe.Pointer(&b[at])) }
func word32(b []byte, at int) *uint32 { return (*uint32)(unsafe.Pointer(&b[at])) }
