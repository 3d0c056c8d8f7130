package abi

// The class cache is a file of classes that were instrumented in earlier runs, which the agent reads by
// itself: a header, entries, the names that their methods and calls have, and a table of slots with the places of
// entries, in units. A class's slot is where its hash says, or behind that. All parts are filled up to whole units.
//
//abi:title The class cache's file
//abi:unit bytes
//abi:to c
const (
	CacheVersion  = 4
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
	CacheNames       = 40 // 8 bytes: where the names begin, each behind its length (a varint)
	CacheNamesBytes  = 48 // 8 bytes: how long they are
	CacheNamesHash   = 56 // 8 bytes: their hash
	CacheNamed       = 64 // 4 bytes: how many there are; the first has the number FirstName
	CacheHeaderBytes = 72 // its length
)

// An entry begins with these fields. Then come the class; the patches (32-bit offsets in the new bytes, where
// numbers stand: of counters, then of methods, then of calls); with contexts rows for the tables of methods and of
// calls, the leaves and what is assumed; the new bytes; and what the counters mean. Numbers are relative to the
// class's first ones, in the rows as well, but for those of names. Leaves are 64-bit hashes of methods, odd for
// classes in java.*: methods of the class, or of others, that calls of them need announce nothing to.
//
//abi:title An entry of the class cache
//abi:unit bytes from its beginning
//abi:to c
const (
	EntryHash = 0 // 8 bytes: hash of the class
	// 8 bytes: hash of all that is between the class and what counters mean, xor that of the fields from EntryFields on
	EntryCountingHash  = 8
	EntryMetadataHash  = 16 // 8 bytes: hash of what counters mean
	EntryFields        = 24 // the first field that has a hash
	EntryClass         = 24 // 4 bytes: length of the class
	EntryNew           = 28 // 4 bytes: length of the new bytes; 0: the class stays as it is
	EntryCounters      = 32 // 4 bytes: how many counters
	EntryPatches       = 36 // 4 bytes: how many patches of counters
	EntryMetadata      = 40 // 4 bytes: length of what counters mean
	EntryMethodPatches = 44 // 4 bytes: how many patches of methods
	EntryCallPatches   = 48 // 4 bytes: how many patches of calls
	EntryMethods       = 52 // 4 bytes: how many methods have contexts
	EntryCalls         = 56 // 4 bytes: how many calls there are in them
	EntryOverflow      = 60 // 4 bytes: words of all their overflow nodes
	EntryLeaves        = 64 // 4 bytes: how many leaves the class has
	EntryAssumed       = 68 // 4 bytes: how many methods of others are assumed to be leaves
	// 4 bytes: 1: what calls announce, in their rows, is the number of their method; 0: it is no number
	EntryCallsOfMethods = 72
	EntryBytes          = 80 // length of these fields
)
