package abi

// Where single objects are asked for, a walk tells each that it reads, besides sums: in the order of addresses, one
// behind the other. What it tells is committed with the walk, and ends with EventHeapSinglesEnd in front of
// EventHeapWalk.
//
//abi:title Events of single objects
//abi:to c
const (
	EventHeapSingles    = EventFirst + 5 // kind: objects one behind the other
	EventHeapSinglesEnd = EventFirst + 6 // kind: that was all of a walk
)

// Objects have an order: the first that a walk finds without an identity hash has 1, and gets one that is made of it by
// HashOfOrder. Hashes that the program, or the JVM, has made stand for an order in the same way. Behind the last order
// comes 1 again.
//
// Behind the flags there are numbers in LEB128 for each object. Where it lacks the flag HeapSinglesFollows, that of its
// class. Where objects of the class differ in size, or where the class is HeapOthers, words of 8 bytes. Where it lacks
// HeapSinglesNext, 0 if no order could be given to it, else one more than the difference to the order of the object
// before, with its sign in the lowest bit. In survivor spaces its age.
//
//abi:title Single objects, one behind the other
//abi:unit bytes
//abi:to c
const (
	HeapSinglesWalk    = 0  // 4 bytes: number of the walk
	HeapSinglesSpace   = 4  // 4 bytes: HeapEden, ...
	HeapSinglesOrigin  = 8  // 4 bytes: HeapBorn, ...
	HeapSinglesRegion  = 12 // 4 bytes: of G1's, where they are old or humongous; else 0
	HeapSinglesOrder   = 16 // 4 bytes: of the object before the first one; 0: none
	HeapSinglesObjects = 20 // 4 bytes: how many
	HeapSinglesAddress = 24 // 8 bytes: of the first one
	HeapSinglesFlags   = 32 // two bits for each object, the first in the lowest bits of a byte; then the numbers
)

// Flags of single objects, and what bounds an event.
//
//abi:title Flags and orders of single objects
//abi:to c
const (
	// its class is that which followed the class of the object before it the last time, in this event; before the
	// first comes class 0
	HeapSinglesFollows = 1
	HeapSinglesNext    = 2       // its order is the next one
	HeapSinglesMost    = 1 << 14 // objects of an event
	OrderMask          = 1<<31 - 1
	OrderFactor        = 0x9E3779B1 // a hash is an order times this, with its upper bits added to the lower ones
	OrderInverse       = 0x0e8b2f51 // times OrderFactor is 1 modulo 2^31
	OrderShift         = 16
)

// The end of what a walk tells of single objects.
//
//abi:title The end of single objects
//abi:unit words
//abi:to c
const (
	HeapSinglesEndWalk      = 0 // number of the walk
	HeapSinglesEndEvents    = 1 // of single objects that it has; those that the ring had no room for too
	HeapSinglesEndObjects   = 2 // in them
	HeapSinglesEndLeftOut   = 3 // objects that are in none, since there was no room
	HeapSinglesEndUnordered = 4 // objects that have no order yet
	HeapSinglesEndGiven     = 5 // orders given since the start, those that were given again too
	HeapSinglesEndWords     = 6
)
