package abi

// The shared memory is one sparse file without a name (memfd), mapped by the agent and by the recorder, who holds
// it when the JVM is gone. Nothing is resident but what was written. It has, one after the other: the states of
// counter blocks, one 32-bit word each, which the agent, the runtime classes and the recorder change by compare
// and swap; the message ring; two bits for each tag; tags that are given again; from BlocksOffset on the thread
// counter blocks; and behind the last of them the arena of contexts.
//
//abi:title The shared memory
//abi:unit bytes
//abi:to c
const (
	StateBytes        = 4                      // of the state of a block
	MessageRingOffset = StateBytes * MaxBlocks // of the message ring
	// of a bit for each tag, the lowest of a byte first: 1 if methods make what has it that were not chosen
	LeftAloneOffset = 1 << 20
	LeftAloneBytes  = (TagOthers + 1) / 8 // of all of them
	// of a bit for each tag, in the same way: 1 if nobody knows what has it before it is tagged
	UnshownOffset = LeftAloneOffset + LeftAloneBytes
	UnshownBytes  = LeftAloneBytes
	AgainOffset   = UnshownOffset + UnshownBytes // of tags that are given again
	// what offsets of nodes are relative to; the 4 KB there are zero: node 0 is none
	NodesOffset     = BlocksOffset - 4<<10
	BlocksOffset    = 3 << 20  // of block 0
	BlockBytes      = 16 << 20 // of a block
	SmallBlockBytes = 2 << 20  // of a block where the process has little address space
)

// Runtime classes know where block 0 is.
//
//abi:title What there is of tags
//abi:unit bytes in front of block 0
//abi:to java
//abi:long
const (
	UnshownBefore = BlocksOffset - UnshownOffset // UnshownOffset
	AgainBefore   = BlocksOffset - AgainOffset   // AgainOffset
)

// Where contexts are recorded, the recorder has tags given again that no object has any more, with their next turns.
// They are in a ring. A thread takes one by compare and swap when no tag is left that was never given.
//
//abi:title Tags that are given again
//abi:unit bytes from their beginning
//abi:to java
//abi:long
const (
	AgainOffered = 0       // 8 bytes: how many the recorder has put there so far
	AgainTaken   = 8       // 8 bytes: how many threads have taken so far
	AgainTags    = 64      // the ring, 4 bytes each
	AgainMost    = 1 << 17 // in the ring: a power of two, no bytes
)

// How many there are of what is in the shared memory.
//
//abi:title Numbers
//abi:to c
const (
	// blocks: platform threads alive at a time, and ended ones that were not folded yet
	MaxBlocks  = 1 << 16
	ArenaShare = 16 // the arena has as many bytes as the blocks, divided by this
	// number of the block shared by the threads that found no other: its counts are inexact and said to be
	OverflowBlock = 0
	// number of the block of the first thread that counts: it initialises the VM and is later "main"
	PrimordialBlock = 1
)

// Who may use a block.
//
//abi:title States of a block
//abi:to c java
const (
	BlockFree        = 0 // nobody: it is zero and can be taken
	BlockLive        = 1 // the platform thread that took it
	BlockEnded       = 2 // the recorder: its thread is gone; the recorder folds it, zeroes it and sets it free
	BlockVirtual     = 3 // the virtual thread that took it
	BlockVirtualIdle = 4 // the next virtual thread: counts of earlier ones are in it
)

// The message ring has what the agent has to say without waiting for an answer: frames like those of the socket.
// Nobody is woken. What is in the ring is older than whatever the recorder receives from the socket afterwards.
//
//abi:title The message ring
//abi:unit bytes from its beginning
//abi:to c
const (
	RingWritten   = 0         // 8 bytes: how many the agent has written so far
	RingRead      = 8         // 8 bytes: how many the recorder has read so far
	RingReserved  = 16        // 8 bytes: the reserved id range, see below
	RingTree      = 24        // 4 bytes: whose the tree of the thread is that waits for an answer, see below
	RingData      = 64        // the ring itself
	RingDataBytes = 512 << 10 // its length
)

// The recorder writes to the tree of contexts of the thread that asks about one. One thread at most waits for such an
// answer. The agent offers its tree, the recorder takes it by compare and swap, and gives it back before it answers.
// Where nobody waits any longer the agent takes it back in the same way; if the recorder has it then, the thread leaves
// it.
//
//abi:title Whose a tree is
//abi:to c
const (
	TreeOwn     = 0 // its thread's
	TreeOffered = 1 // its thread waits for an answer
	TreeTaken   = 2 // the recorder writes to it
	TreeLeft    = 3 // the same, and its thread has left it
)

// The reserved id range is counter numbers that the agent may give to classes out of the class cache: the next
// one, and in the upper half of the word the end. The recorder reserves them, the agent takes from them by compare
// and swap. Numbers of contexts are taken in the same way, from words of the arena.
//
//abi:title The reserved id range
//abi:unit bits
//abi:to c
const ReservedEndShift = 32
