package abi

// An encoded context is a number: epoch, anchor, value. A call adds its constant if the caller's number is of the
// constant's epoch and the callee is the one that is called; otherwise the number starts again at 0 behind an
// anchor. A number of epoch 0 is a node.
//
//abi:title Numbers of encoded contexts
//abi:unit bits
//abi:to java
const (
	NumberEpochShift  = 59 // from here on the epoch, 5 bits; in a call's constant the same
	NumberAnchorShift = 35 // from here on the anchor, 24 bits; in a call's constant the callee
	NumberAnchorBits  = 24
	NumberEpochBits   = 5

	EdgeCallBits  = 26 // in an epoch's list of calls: the call, and above it what it adds
	SeveralShift  = 48 // in ArenaSeveral: the binary logarithm of the table's size, above its offset
	AnchorsAtOnce = 64 // anchors that a thread takes at a time

	// In a key of the table of calls that lead to several methods, the call; below it the callee.
	SeveralCallShift = 32
	// A product with CodeHash says from this bit on where a table is looked into first.
	CodeHashShift = 32
)

// Numbers that stand for no context.
//
//abi:title Numbers without a context
//abi:to java
//abi:long
const (
	NumberNowhere = 1 // of invocations whose context there was no memory for
	NumberUnknown = 2 // of those that began where nobody could be asked
)

// Mixes a call and a callee in the table of calls that lead to several methods, and numbers in threads' tables.
//
//abi:title The multiplier of encoded contexts' tables
//abi:to java
//abi:long
const CodeHash = HashAnchor

// An anchor stands for a call in its context. It is made by one thread, which writes the second word last. The anchor
// of a class that is no more has NumberUnknown for the caller's number, and else zeros.
//
//abi:title An anchor
//abi:unit bytes from its beginning
//abi:to java
const (
	AnchorNumber = 0  // 8 bytes: the caller's number
	AnchorCall   = 8  // 8 bytes: epoch, callee, call
	AnchorNode   = 16 // 8 bytes: the node that it stands for, or 0
	AnchorTaken  = 24 // 8 bytes: how often it was taken
)

// Sizes and numbers of what encoded contexts have in the arena.
//
//abi:title Tables of encoded contexts
//abi:unit bytes, or powers of two
//abi:to java
const (
	AnchorBytesShift   = 5 // an anchor's bytes
	AdditionBytesShift = 3 // a call's constant's bytes
	AdditionBytes      = 1 << AdditionBytesShift
	AnchorBytes        = 1 << AnchorBytesShift
	EdgeBytesShift     = 3 // a call's bytes in an epoch's list
	EdgeStartShift     = 2 // bytes of where a method's calls begin in it
	// bytes of an entry of the table of calls that lead to several methods: call and callee, constant
	SeveralBytesShift = 4
	SeveralKey        = 0 // where an entry has call and callee; 0 is an empty one
	SeveralConstant   = 8 // where an entry has the constant
)

// In front of a thread's table are words about its anchors, and then the calls that are being decoded.
//
//abi:title In front of a thread's table of encoded contexts
//abi:unit bytes
//abi:to java
const (
	KnownTable = 0  // 8 bytes: offset of the thread's table of anchors, 4 bytes each
	KnownMask  = 8  // 8 bytes: the bytes of that, less 1
	KnownCount = 16 // 8 bytes: how many are in it
	FreeAnchor = 24 // 8 bytes: the next anchor that the thread has
	EndAnchor  = 32 // 8 bytes: the end of those
	// 8 bytes: the first of the anchors that the recorder has given back, 0 for none; AnchorTaken leads to the next
	UsedAnchors = 40

	DecodedCalls = 128 // where the calls that are being decoded begin
	DecodedBytes = 16  // of one of them
	DecodedDepth = 120 // how many there are, in front of the table

	DecodedNumber = 0  // 8 bytes of a decoded call: the callee's number
	DecodedMethod = 8  // 4 bytes: the callee
	DecodedCall   = 12 // 4 bytes: the call
)

// What the recorder answers beside a node, in its lowest bits.
//
//abi:title Trust in an answer about an encoded context
//abi:to java
//abi:long
const (
	CacheableAlways = 1 // the node is the call's, whenever that call is announced in that context
	CacheableSlot   = 2 // and it is in the call's slot as well
	CacheableMask   = 7 // bits that are no part of the node
)
