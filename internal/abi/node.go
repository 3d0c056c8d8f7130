package abi

// The arena is the memory of contexts, behind the last block. It begins with words that say what is free; then
// come the table of methods, the table of calls, where contexts are encoded the constants of calls and the
// anchors, the node memory of the early time, and chunks that threads take (by compare and swap of the first
// word). Places in it are named by offsets from NodesOffset, so that the first 4 KB have none.
//
//abi:title The arena's first words
//abi:unit words of 8 bytes
//abi:to c java
const (
	ArenaTop     = 0 // offset of the first byte that no thread has taken
	ArenaLimit   = 1 // offset of the end of what may be taken
	ArenaEpoch   = 2 // encoded contexts: the current epoch, as numbers have it; the recorder's
	ArenaAnchors = 3 // encoded contexts: how many anchors threads have taken
	// encoded contexts: the table of the constants of calls that lead to several methods; the recorder's
	ArenaSeveral = 4
	// the next free number of a method, of a call, and the next free word of a block for an overflow node; above
	// ReservedEndShift where they end. Recorder and agent take them by compare and swap
	ArenaMethods  = 5
	ArenaCalls    = 6
	ArenaOverflow = 7
	// one bit for each shape that methods have whose numbers are free since their class was unloaded, and for others by
	// chance: the agent leaves such classes to the recorder; the recorder's
	ArenaShapes = 8
	// 1 once there was no memory for what calls have made of a class: it is of the type that the code takes it for
	ArenaUntold = 9
	// encoded contexts, two words an epoch: where each method's calls begin among its calls, and those; the
	// recorder's
	ArenaEpochs = 10
)

// The arena's tables.
//
//abi:title Sizes in the arena
//abi:unit bytes
//abi:to c java
//abi:long
const (
	ArenaHeaderBytes = 4 << 10 // of the first words
	MethodBytes      = 24      // of a method in the table of methods
	CallBytes        = 12      // of a call in the table of calls
	ChunkHeaderBytes = 16      // at a chunk's beginning
	ChunkUnit        = 4 << 10 // a chunk for a node too large for others is a multiple of it
	FirstChunkBytes  = 4 << 10 // of a thread's first chunk; the next ones are twice as large
	LastChunkBytes   = 1 << 20 // of a thread's largest chunks
)

// A chunk's header leads to the one that its thread took before.
//
//abi:title The header of a chunk
//abi:unit words of 8 bytes
//abi:to c java
const (
	ChunkBefore = iota // offset of the chunk before, 0 for none
	ChunkEnd           // offset of its own end
)

// A span is memory in a chunk that nodes have had that are no more. The recorder lists those that a thread takes before
// it takes another chunk, when they are zero again. The first word is zero.
//
//abi:title The words of a span
//abi:unit words of 8 bytes
//abi:to c java
const (
	SpanNext = 1 // offset of the next span, 0 for none
	SpanEnd  = 2 // offset of its own end
)

// What the recorder, or the agent out of the class cache, says of a method, by the method's number. It is there
// before code of the method runs.
//
//abi:title A method in the table of methods
//abi:unit bytes from its beginning
//abi:to c java
const (
	// 4 bytes: number of the name by which it is called; 0: the VM calls it between any two instructions
	MethodName      = 0
	MethodFirstCall = 4  // 4 bytes: number of its first call in the table of calls
	MethodOverflow  = 8  // 8 bytes: offset in a counter block of its overflow node
	MethodWords     = 16 // 4 bytes: words of its nodes
	MethodCalls     = 20 // 4 bytes: how many calls it has, and MethodRaised
)

// Set in MethodCalls for constructors of exceptions, which the VM and native code call by themselves, wherever
// they throw.
//
//abi:title A flag in a method's number of calls
//abi:to c java
const MethodRaised = 1 << 31

// The shape of a class's methods is how many words and calls each has. Its bit in ArenaShapes has the number that is in
// the upper ShapeBits bits of a sum: of each method in turn the words, then the calls with MethodRaised, are added to
// what there is so far, and the sum is multiplied by HashAnchor.
//
//abi:title The shape of methods
//abi:to c
const ShapeBits = 6

// What is said of a call.
//
//abi:title A call in the table of calls
//abi:unit bytes from its beginning
//abi:to c java
const (
	CallName     = 0 // 4 bytes: number of the name of what it calls; 0 where it does not say
	CallAnnounce = 4 // 4 bytes: hashed contexts, what it announces; encoded ones, the method that it is in
	CallPosition = 8 // 4 bytes: its position in the method's code, as the JVM has that; ascending
	// the position of what is none, the last of a method: nodes of [MadeMethod] are in its slot
	ClassesPosition = 1<<31 - 1
)

// A node stands for a chain of calls. It is made by the thread whose tree it is in, or by the recorder while that
// waits, and never moves.
//
//abi:title Words of a node
//abi:unit words of 8 bytes
//abi:to c java
const (
	NodeMethod = iota // number of the innermost method, RootMethod or InNoSlot in the upper half; written last
	// by what it is entered: the caller's node, and above SlotShift the caller's word that leads here
	NodeEntry
	NodeSibling // the next node of the same slot
	NodeEntered // how often it was entered
	// slots, one for each call in the method: the node of the last callee. Behind them come the method's counters
	NodeSlots
)

// What a word of a node, or a number of a method, says.
//
//abi:title Numbers in nodes
//abi:to c java
const (
	SlotShift  = 44         // an entry is a node, and from this bit on a word of it
	RootMethod = 0xffffffff // method of a thread's first node, which has one slot for all that the VM calls
	RootWords  = NodeSlots + 1
	// in the place of a method, of a node for what a call of its caller has made of a class: above MadeShift is the
	// number of the first counter of that, 0 while the node is nobody's, and in the place of slots are the counters
	MadeMethod = 0xfffffffe
	MadeShift  = 32
	MadeWords  = NodeSlots + 3
	LambdaName = 1 // the name of all bodies of lambdas, which calls of other names come to
	FirstName  = 2 // the first number of other names

	// in the first word of an encoded context's node of the early time, the number of the method's first call, above
	// the method
	FirstCallShift = 32
	// a context is numbered by its node's offset from the first, without these bits; above TurnShift by the turn of the
	// tree's owner
	ContextShift = 3
	TurnShift    = 33 // no offset in an arena reaches so far
)

// Flags beside a node's method. InNoSlot: the node was not entered by its caller's call. In the hashed shape what
// enters it is its caller, and above SlotShift the position there; in others the recorder knows. Named, which the
// recorder sets: the recording says of which context it is, in the tree's current turn.
//
//abi:title Flags in a node's first word
//abi:to c java
//abi:long
const (
	InNoSlot = 1 << 63
	Named    = 1 << 62
)

// The node of a transaction has one slot, and behind it these words. Where it only counts how often a transaction
// was entered or left at a call, it has TransactionTo alone.
//
//abi:title Words of a transaction's node
//abi:unit words of 8 bytes
//abi:to java
const (
	TransactionBefore    = NodeSlots + 1 + iota // the invocation's node, hash or number before it began it
	TransactionSince                            // the same since
	TransactionAround                           // the transaction around it in its thread
	TransactionTo                               // where the thread is since it was entered or left there
	TransactionAllocated                        // bytes that the thread had allocated when it began, 0: not known
	TransactionWords                            // how many words it has

	TransactionTable = TransactionBefore // of one that a thread has entered: the table of its tree
	TransactionPairs = TransactionSince  // how many pairs that has
)

// What has been allocated in each transaction of a name that has ended: how many there were, and a histogram of bytes,
// of those of which that is known. Sizes below SizeSteps have a word each; above, each power of two is divided into
// SizeSteps. They are what the VM says that the thread has allocated, without what compilers have removed.
//
//abi:title Sizes of transactions
//abi:unit words of 8 bytes
//abi:to c
const (
	SizesEnded = iota // transactions that have ended
	SizesSum          // bytes of those that are in the histogram
	SizesMost         // of one of them
	SizesFirst        // word of the histogram
	SizeSteps  = 8
	SizesWords = SizesFirst + 46*SizeSteps // up to 2^48 bytes
)
