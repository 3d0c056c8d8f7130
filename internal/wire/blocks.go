package wire

// The shared memory is one sparse file without a name, mapped by the agent and read by the recorder: a table of states,
// one 32-bit word a block, the message ring (messagering.go), from BlocksOffset on the blocks, whose size is the agent's choice, and behind the last of them the arena for
// contexts. Nothing is resident but what was written.
const (
	BlockBytes      = 16 << 20      // one thread counter block
	SmallBlockBytes = 2 << 20       // the same where the process has little address space
	MaxBlocks       = 1 << 16       // platform threads alive at a time, and ended ones not folded yet
	BlocksOffset    = 1 << 20       // of block 0 in the file
	NodesOffset     = 1<<20 - 4<<10 // what offsets of nodes are relative to; the 4 KB there are zero
	ArenaShare      = 16            // the arena has as many bytes as the blocks, divided by this
	OverflowBlock   = 0             // shared by the threads that found no block: its counts are inexact and said to be
	PrimordialBlock = 1             // of the first thread that counts: the one that initialises the VM, later "main"
	FirstCounter    = 32            // counter numbers below are the runtime classes' own
	OwnWord         = 16            // of those, in the first thread's block: bytes that the runtime classes allocated in the Java heap
	BytecodesWord   = 30            // of those: bytecodes that the thread has executed in classes of the program, where snapshots are taken by them
	TransactionWord = 17            // of those: the node of the innermost transaction that the thread is in, 0 for none
	InsideWord      = 18            // of those: the node of the innermost transaction that the thread has entered, 0 for none
	TreeWord        = 5             // of the runtime classes' own, from here on: by what the next method is entered; the rest of the thread's last chunk of nodes, its end, and the chunk; by what is entered what the VM calls
)

// States of a block, in the table.
const (
	BlockFree        = 0 // zero, can be taken
	BlockLive        = 1 // a thread counts in it
	BlockEnded       = 2 // its thread is gone; the recorder folds it, zeroes it and sets it free
	BlockVirtual     = 3 // virtual threads count in it, one after another
	BlockVirtualIdle = 4 // none of them at the moment
)
