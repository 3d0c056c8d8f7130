package abi

// The class cache is a file of classes that were instrumented in earlier runs, which the agent reads by
// itself: a header, entries, and a table of slots with the places of entries, in units. A class's slot is where
// its hash says, or behind that. All parts are filled up to whole units.
//
//abi:title The class cache's file
//abi:unit bytes
//abi:to c
const (
	CacheVersion  = 1
	CacheUnit     = 8 // what places of entries count
	CacheSlot     = 4 // of a slot: the entry's place, 0 for none
	CacheHashStep = HashAnchor
)

// The header, which the recorder checks.
//
//abi:title The class cache's header
//abi:unit bytes from its beginning
//abi:to c
const (
	CacheMagic       = 0  // 8 bytes: "MALLCLS\n"
	CacheVersionAt   = 8  // 4 bytes: CacheVersion
	CacheSlots       = 12 // 4 bytes: how many slots there are, a power of two
	CacheEntries     = 16 // 4 bytes: how many entries
	CacheSum         = 20 // 4 bytes: the lower half of the hash of the header with 0 here
	CacheFileBytes   = 24 // 8 bytes: length of the file
	CacheTable       = 32 // 8 bytes: where the slots begin
	CacheHeaderBytes = 40 // its length
)

// An entry begins with these fields. Then come the class, the patches (32-bit offsets in the new bytes, where a
// counter's number stands), the new bytes, and what the counters mean.
//
//abi:title An entry of the class cache
//abi:unit bytes from its beginning
//abi:to c
const (
	EntryHash         = 0  // 8 bytes: hash of the class
	EntryCountingHash = 8  // 8 bytes: hash of patches and new bytes, with the padding of both
	EntryMetadataHash = 16 // 8 bytes: hash of what counters mean
	EntryClass        = 24 // 4 bytes: length of the class
	EntryNew          = 28 // 4 bytes: length of the new bytes; 0: the class stays as it is
	EntryCounters     = 32 // 4 bytes: how many counters
	EntryPatches      = 36 // 4 bytes: how many patches
	EntryMetadata     = 40 // 4 bytes: length of what counters mean
	EntryBytes        = 48 // length of these fields
)
