package abi

// A hashed context: h' = ((h ^ announcement) + method * HashMethod) * HashStep, modulo 2^64. An invocation whose
// context no hash says has its node's offset times HashAnchor. Both are odd; their inverses undo them. What two methods
// add differs by more than announcements can make up for, whichever methods they are.
//
//abi:title Hashes of contexts
//abi:to c java
//abi:long
const (
	HashStep       = 0xd1342543de82ef95
	HashStepBack   = 0x572b5ee77a54e3bd // HashStep * HashStepBack = 1
	HashMethod     = 0x827f5352054c651e // even, as hashes are
	HashAnchor     = 0x9e3779b97f4a7c15
	HashAnchorBack = 0xf1de83e19937733d // HashAnchor * HashAnchorBack = 1
)

// An announcement says what an invocation calls next: which slot of its node, and a name. Bit 0 is 0.
//
//abi:title Announcements
//abi:unit bits
//abi:to c java
const (
	AnnounceWordShift = 17 // from this bit on the word of the node that is the call's slot
	AnnounceNameShift = 1  // from this bit on, up to that, the name

	FirstAnnouncedName = 1      // names begin here
	NameReturned       = 0xfffe // a return announces it: no method has this name
	// of methods that the VM calls between any two instructions: what was announced says nothing about them
	NameNever = 0xffff

	AnnounceNameMask  = NameNever << AnnounceNameShift
	AnnouncedReturn   = NameReturned << AnnounceNameShift
	AnnouncedNameless = NameNever << AnnounceNameShift
	NotAnnounced      = -1 // in place of an announcement where an invocation counts
)

// A table leads from numbers to nodes: of a thread's hashes or encoded contexts, and of the transactions that it
// has entered. It is named by its offset, a multiple of 64, plus the binary logarithm of half the number of its
// pairs. What is looked for first is where the number's upper bits say; pairs that find their place taken follow
// it.
//
//abi:title Tables from numbers to nodes
//abi:to c java
//abi:long
const (
	TableLogMask = 63             // in a table's name, the logarithm
	PairBytes    = 1 << PairShift // of a pair: the number, the node
	PairNode     = 8              // offset of the node in a pair
	FrontPairs   = 64             // pairs that the recorder may put in front of a thread's table of hashes
)

// PairShift is the binary logarithm of a pair's bytes.
//
//abi:title Pairs in tables
//abi:unit powers of two
//abi:to java
const PairShift = 4

// What Resolve answers for a frame's method, and the agent keeps of it.
//
//abi:title Flags of a frame's method
//abi:to c
const (
	FrameGap     = 1 << 29          // set by the agent: skipped frames are between it and its caller
	FrameNative  = 1 << 30          // it has no bytecode
	FrameSkipped = 1 << 31          // instead of a number: a skipped frame, which stands in no context
	FrameHidden  = FrameSkipped | 1 // the same of a hidden class: where it is the innermost, it is that which counts
)
