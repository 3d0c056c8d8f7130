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
// Where the ring has little room left, what is born in eden is told without addresses: then HeapSinglesAddress is 0,
// and there are no flags. Objects come together by class and size, in the order of their orders, and for each such
// group there are numbers in LEB128: that of its class; words of 8 bytes of each object, where objects of the class
// differ in size, or where it is HeapOthers; how many have the orders that follow. 0 of these: one more object, whose
// order, or 0, is the next number.
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
	HeapSinglesAddress = 24 // 8 bytes: of the first one; 0: nobody knows where they are
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
	HeapSinglesEndUnplaced  = 6 // objects that are told without an address, of those that are in events
	HeapSinglesEndWords     = 7 // older recordings lack the last one
)

// Keyframes of a recording have the single objects that are held, where it gives up what is old (--keep): who begins to
// read at one knows of each what was known behind all walks before.
//
//abi:title Events of single objects in keyframes
const (
	EventHeapHeld    = EventFirst + 28 // kind: objects in one place, in the order of addresses
	EventHeapDoubts  = EventFirst + 29 // kind: orders that may stand for more than one object
	EventHeapHeldEnd = EventFirst + 30 // kind: that was all
)

// Behind the header are columns of numbers in LEB128, each with one for each object:
//
//   - its class: 0 if that followed the last class before whose number has the same HeapHeldBits lowest bits as that of
//     the object before, in this event (before the first object comes class 0, and before all classes 0 follows), else
//     its number and 1. All of it twice; and 1 more where the object is not right behind the one before: then words
//     between the two are the next number
//   - words of 8 bytes, of objects of classes whose objects differ in size, or that are HeapOthers
//   - 0 if it has no order, else 1 more than the difference to the order of the object before that has one (before the
//     first comes 0), with its sign in the lowest bit
//   - flags, and 1 << HeapHeldMoves times how often collectors have moved it
//   - in survivor spaces, its age; in old ones, only of those that are HeapHeldPromoted, 0 if nobody knows which age it
//     had when it was promoted, else 1 more than that. Recordings made before that was noted end here, in old spaces
//
//abi:title Single objects that are held
//abi:unit bytes
const (
	HeapHeldWalk    = 0  // 4 bytes: number of the last walk
	HeapHeldSpace   = 4  // 4 bytes: HeapEden, ...
	HeapHeldRegion  = 8  // 4 bytes: of G1's, where they are old or humongous; else 0
	HeapHeldObjects = 12 // 4 bytes: how many
	HeapHeldAddress = 16 // 8 bytes: of the first one; 0: nobody knows where they are
	HeapHeldColumns = 24 // the columns, up to the end
)

// What is known of an object that is held.
//
//abi:title Flags of single objects that are held
const (
	HeapHeldBits     = 12
	HeapHeldNew      = 1 // it was born before the last walk, and behind the pause before
	HeapHeldUnknown  = 2 // it was not, and nobody knows when
	HeapHeldPromoted = 4 // a collection has made it old
	HeapHeldSettled  = 8 // a collection that came to it in the old generation has left it alive
	HeapHeldMoves    = 4 // from this bit on
)

// Behind the number there is one in LEB128 for each order, in their order: twice the difference to the one before, and
// 1 more where it has stood for two objects at a time, and so for none any more.
//
//abi:title Orders that may stand for more than one object
//abi:unit bytes
const (
	HeapDoubtsWalk   = 0 // 4 bytes: number of the last walk
	HeapDoubtsOrders = 4 // the orders, up to the end
)

// The end of what a keyframe says of single objects.
//
//abi:title The end of single objects that are held
//abi:unit words
const (
	HeapHeldEndWalk      = 0  // number of the last walk
	HeapHeldEndObjects   = 1  // that are held
	HeapHeldEndLeftOut   = 2  // as in EventHeapSinglesEnd, of the last walk
	HeapHeldEndGiven     = 3  // as there
	HeapHeldEndLate      = 4  // how often nobody knew what an object was before a collection
	HeapHeldEndUnordered = 5  // how often nobody knew whether it lives behind one: it had no order
	HeapHeldEndUnseen    = 6  // the same: not all was told of what it has left
	HeapHeldEndAllLeft   = 7  // objects that walks have left out so far
	HeapHeldEndShared    = 8  // objects with a hash that another one has
	HeapHeldEndAgain     = 9  // the same, since all orders had been given once
	HeapHeldEndUnplaced  = 10 // births that walks have told without an address so far
	HeapHeldEndRemains   = 11 // what HeapHeldEndLate and ...Unordered leave out: behind collections without room
	HeapHeldEndFailed    = 12 // the same of HeapHeldEndShared
	HeapHeldEndFailedNow = 13 // 1: the last collection was one of these; else 0
	HeapHeldEndWords     = 14 // older recordings lack the last four
)
