package abi

// Late facts are those that only the agent learns, when the heap is there: it writes them into the runtime classes,
// which it has from the answer to Hello, so that the recorder may be gone by then.
//
//abi:title Late facts
//abi:to c
const (
	LateArrayBase = iota
	LateArrayBase8
	LateArrayBaseRef
	LateReference
	LateAlignmentMask
	LateKlass
	LateLayoutHelper
	LateVirtual
	LateFacts // how many
)

// Facts about a JVM are constants of the runtime classes. Their source has FactMark in the upper half of each and
// its number below; the recorder writes the facts over them in the class files that it hands to the agent (package
// instrument), and the agent the late ones.
//
//abi:title Facts
//abi:to java
//abi:long
const (
	FactMark = 0x6d616c6c << 32

	FactArrayBase     = FactMark + 1  // header bytes of arrays with elements of 1, 2 and 4 bytes
	FactArrayBase8    = FactMark + 2  // the same of 8 bytes
	FactArrayBaseRef  = FactMark + 3  // the same of references
	FactReference     = FactMark + 4  // bytes of a reference
	FactAlignmentMask = FactMark + 5  // bytes to which objects are aligned, less 1
	FactStates        = FactMark + 6  // address of the states of blocks
	FactBlocks        = FactMark + 7  // number of blocks
	FactOverflow      = FactMark + 8  // address of block 0
	FactBlockBytes    = FactMark + 9  // bytes of a block
	FactPrimordial    = FactMark + 10 // address of the primordial block
	FactKlass         = FactMark + 11 // where a class mirror has the VM's Klass pointer
	FactLayoutHelper  = FactMark + 12 // where a Klass has the layout helper
	FactVirtual       = FactMark + 13 // where a Klass has the table of virtual methods
	FactContexts      = FactMark + 14 // 1 where contexts are recorded, else 0
	FactNodes         = FactMark + 15 // address that offsets of nodes are relative to
	FactEarlyNodes    = FactMark + 16 // offset of the nodes of the early time
	FactTop           = FactMark + 17 // address of the arena's first words
	FactMethods       = FactMark + 18 // address of the table of methods
	FactCalls         = FactMark + 19 // address of the table of calls
	FactLimit         = FactMark + 20 // address of the word ArenaLimit
	FactEarly         = FactMark + 21 // how many counters the early time has
	FactAdditions     = FactMark + 22 // address of the constants of calls; 0 unless contexts are encoded
	FactAnchors       = FactMark + 23 // address of the anchors
	FactMostAnchors   = FactMark + 24 // how many anchors there may be
	FactReturns       = FactMark + 25 // what the end of method 0 would announce; those of others follow
	FactEvery         = FactMark + 26 // bytecodes between two snapshots
	FactShared        = FactMark + 27 // address of block 0 that Thread.$mallard is relative to
)
