package abi

// Event rings are in a memory of their own, which package events makes and the agent maps. It begins with a block of
// EventControl bytes: EventMagic, EventVersion and how many rings there are, 4 bytes each; a futex; and a descriptor
// for each ring: u64 offset of its control block, u32 bytes of its data, u32 largest record, u32 bytes unread at which
// the reader is woken, u32 those at which less is recorded, u32 levels, u32 calm collections after which more is
// recorded.
//
//abi:title The memory of event rings
//abi:unit bytes from its beginning
//abi:to c
const (
	EventAsleep      = 64  // 4 bytes: 1 while the reader sleeps and wants to be woken
	EventDescriptors = 128 // the descriptors
)

// Numbers and sizes of event rings.
//
//abi:title Event rings
//abi:to c
const (
	EventMagic      = 0x4556454d // "MEVE"
	EventVersion    = 1
	EventRings      = 64      // rings at most
	EventDescriptor = 32      // bytes of a descriptor
	EventControl    = 4 << 10 // bytes of a control block, and of the memory's own
)

// A ring is a control block and the data behind it.
//
//abi:title The control block of an event ring
//abi:unit bytes from its beginning
//abi:to c
const (
	EventCommitted = 0  // 8 bytes, the producer's: how many may be read, since the start
	EventRead      = 64 // 8 bytes, the reader's: how many have been read
	// 8 bytes, the producer's: since when records are left out that the ring has no record of, ns; 0: none
	EventLosing = 128
	EventLevel  = 136 // 4 bytes, the producer's: the level
	EventLost   = 144 // 8 bytes for each kind, the producer's: records that were left out since the start
)

// The data are records at multiples of 8, none of which goes beyond the end: u32 bytes, u16 kind, u16 stamp, the bytes.
// The stamp is the upper 16 bits
// of the product of EventStamp and the record's position since the start.
//
//abi:title A record of an event ring
//abi:to c
const (
	EventHeader  = 8 // bytes in front of a record
	EventStamp   = HashAnchor
	EventPadding = 0  // kind: up to the end of the data
	EventLoss    = 1  // kind: what was left out
	EventFirst   = 2  // observers' kinds from here on
	EventKinds   = 64 // there are no more

	// ring: of the thread that stops the world, for what its callbacks learn meanwhile
	EventSafepointRing = 0
)
