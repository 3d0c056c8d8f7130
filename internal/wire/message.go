// Package wire is the conversation between the agent inside a JVM and the recorder: frames on a Unix stream socket, and
// the memory in which threads count.
//
// The agent speaks; the recorder answers only where a message is a request. A frame is a [Header] and a payload of
// unsigned little-endian integers and of strings and byte blocks that carry their length. Messages are written down once, in
// [Messages]; the C header that the agent is compiled with is printed from that table (go run mallard/internal/wire/header).
//
//	agent                           recorder
//	Hello (with the shared memory) →
//	                              ← OK with the class cache: bytes path, u64 device, u64 inode, empty without; or Refuse with the reason
//	Class request                →
//	                              ← OK with the new bytes, empty: unchanged
//	Death request                →
//	                              ← OK once the last snapshot is in the recording, with what the agent is to say on stderr
//
// The control channel is a second socket, whose end rides with Hello, for a thread of the agent's that does what the recorder wants done: its only frame is Control,
// which is answered when there is something to do, with that.
//
//	Control request              →
//	                              ← OK with classes to retransform; or, where a class of the user's is called at snapshots, with what the next one says
//
// The package knows nothing about class files or recordings.
package wire

import "fmt"

// Version is the number of this protocol. Agent and recorder come from one binary; a difference means that a stray
// library was loaded.
const Version = 9

// Type says what a frame carries.
type Type uint32

// The frames. The agent sends all but OK and Refuse.
const (
	OK           Type = iota + 1 // answer: done; the payload is what was asked for
	Refuse                       // answer: no; the payload is a reason for the user, the agent disengages
	Hello                        // request, first frame: who is there; carries the shared memory's descriptor
	Runtime                      // request: the runtime classes for this JVM
	Class                        // request: a class is being defined; answered with its new bytes
	Loader                       // a class loader was seen for the first time
	Thread                       // a thread has a block; again where more is known of it
	ThreadEnd                    // a thread ended: its block is to be folded and freed
	ClassSizes                   // instance sizes of classes that were prepared
	Death                        // request: the VM ends; all stacks, threads suspended; answered after the last snapshot
	LoadersGone                  // class loaders were freed, and their classes unloaded
	Loss                         // something was lost, and is to be recorded
	ClassCached                  // in the message ring: a class is being defined and was in the cache
	RingFull                     // request: the message ring is full
	Control                      // request on the control channel: what was asked for is done
	Snapshot                     // request: a thread has executed as many bytecodes as are between two snapshots
	CodeLocation                 // request: the VM makes objects at an instruction that has no counters for them; answered with some
	Resolve                      // request: a method was entered in another way than its caller's call says; answered with its node
	Transaction                  // request: a name that the program gives to what it does; answered with its number
	Mirror                       // request: a thread counts in a transaction that it has entered; answered with the node
)

// Message describes one frame for the C header and for documentation.
type Message struct {
	Type    Type
	Name    string // as in the C header, in capitals
	Request bool   // whether the agent waits for an answer
	Payload string // the fields in order: u32, u64, bytes (u32 length, then that many)
}

// Messages is the protocol.
var Messages = []Message{
	{OK, "OK", false, "what was asked for; to HELLO, u32 flags and, if there is a cache of classes, bytes its path, u64 device, u64 inode; to CONTROL, u32 flags, repeated: u32 loader, bytes class"},
	{Refuse, "REFUSE", false, "reason"},
	{Hello, "HELLO", true, "u32 protocol version, u32 process, u32 JDK feature number, u64 address of the shared memory, u32 blocks, u32 bytes of a block, u64 bytes of the arena, u64 address of block 0 that fields of threads are relative to, bytes collector, bytes VM name, bytes VM version, bytes options"},
	{Runtime, "RUNTIME", true, "u32 header bytes of arrays of 1-, 2-, 4-, 8-byte elements and of references, u32 reference bytes, u32 object alignment, u32 offset of the Klass pointer in a class mirror, u32 offset of the layout helper in a Klass, u32 offset of the virtual methods in the Klass of a class (0: left alone), u64 bytes that the VM says it has allocated (0: it does not say), u64 bytes that the agent allocated then; answered with, repeated: bytes class file, java.lang.$Mallard first"},
	{Class, "CLASS", true, "u32 loader, u32 flags, bytes name (may be empty); if it is hidden, where it was asked for: u32 loader, bytes class, bytes source, bytes name, bytes descriptor, bytes bytecodes, u32 bci, u32 line (0 unknown); bytes class file"},
	{Loader, "LOADER", false, "u32 loader, bytes class of the loader"},
	{Thread, "THREAD", false, "u32 block, u32 flags, bytes name"},
	{ThreadEnd, "THREAD_END", false, "u32 block, u32 flags, bytes name, u64 bytes that the VM says it allocated (0 unknown)"},
	{ClassSizes, "CLASS_SIZES", false, "repeated: u32 loader, u32 bytes of an instance, bytes name"},
	{Death, "DEATH", true, "u32 methods, each: u32 loader, bytes class, bytes name, bytes descriptor, bytes bytecodes, u32 lines, each: u32 bci, u32 line (none without contexts); u32 threads, each: u32 block, u32 flags, bytes name, u64 bytes that the VM says it allocated (0 unknown), u32 frames, each innermost first: u32 method, u32 bci; u64 bytes that the VM says all these threads allocated, those of the overflow block included"},
	{LoadersGone, "LOADERS_GONE", false, "repeated: u32 loader"},
	{Loss, "LOSS", false, "bytes kind, u64 count, bytes detail"},
	{ClassCached, "CLASS_CACHED", false, "u32 loader, u64 offset of the entry in the cache, u32 number of the class's first counter"},
	{RingFull, "RING_FULL", true, ""},
	{Resolve, "RESOLVE", true, "u32 block, u64 entry, u32 method, u32 words (hashed contexts: u64 hash, u32 method, u32 announcement, 2^32-1 where a method counts); u32 methods that were not named before, each: u32 loader, bytes class, bytes name, bytes descriptor, u32 flags, u32 lines, each: u32 bci, u32 line; u32 frames, each innermost first: u32 method, in the order in which they were named, u32 bci; answered with u64 node, 0: make it, then for each frame: u32 what contexts call its method, 0 unknown, and flags"},
	{CodeLocation, "CODE_LOCATION", true, "where, as with a hidden class: u32 loader, bytes class, bytes source, bytes name, bytes descriptor, bytes bytecodes, u32 bci, u32 line (0 unknown); for each type that is made there, bytes its name or an array's descriptor; answered with u32 number of the first counter, three in a row for each type"},
	{Transaction, "TRANSACTION", true, "u32 1 for all names that there is no room for, else 0, bytes name in modified UTF-8; answered with u32 number, 0: none"},
	{Mirror, "MIRROR", true, "u32 block, u64 node of the thread's own, u64 the transaction's node; answered with u64 node that stands for the same context in the transaction, 0: none"},
	{Snapshot, "SNAPSHOT", true, "u32 1: the user's class is called then; answered once the snapshot is taken, if it is called with u64 nanoseconds, u64 objects, u64 bytes, u64 bytecodes since it was last called"},
	{Control, "CONTROL", true, "u64 nanoseconds that retransforming took, then for each class asked for: u32 outcome; about snapshots (by bytecodes, only the first time and the last), u64 nanoseconds until the next (0: as before), bytes why there are no more (empty: there are), answered with the name of the class to call and a zero the first time, then with u64 nanoseconds, u64 objects, u64 bytes, u64 bytecodes since the last"},
}

// Flags of a class.
const (
	ClassRedefined = 1 << iota // it exists already and we or another agent are changing it
	ClassHidden                // it is to be hidden: no event says so, the JDK does
)

// Flags in the answer to Hello.
const (
	Adapting          = 1 << iota // there will be answers to Control
	Contexts                      // contexts are recorded
	SnapshotCallback              // Control is about snapshots
	BytecodeSnapshots             // snapshots are taken every so many bytecodes
	Natives                       // what native code makes is counted
)

// RetransformLive is set in an answer to Control where frames do not matter.
const RetransformLive = 1

// Outcomes of asking for a class to be retransformed.
const (
	Retransformed = iota // it was
	ClassUnknown         // there is no such class any more
	ClassLive            // a method of it is running; the frame would stay interpreted as long as it runs
	ClassRefused         // the JVM would not
)

// Flags of a thread.
const (
	ThreadCarrier = 1 << iota // it carries virtual threads
	ThreadVirtual             // it is virtual itself, and the block is that of its carrier
	ThreadEnded               // at the end: its block has been folded, and may be another thread's
)

// MethodNative is set in a method's flags in Resolve if it has no bytecode.
const MethodNative = 1

// What Resolve answers for a frame's method.
const (
	FrameNative  = 1 << 30 // it has no bytecode
	FrameSkipped = 1 << 31 // instead of a number: a skipped frame, which stands in no context
	FrameGap     = 1 << 29 // set by the agent: skipped frames are between it and its caller
)

// Bounds of the names of transactions: how many the agent keeps, and how many characters of each.
const (
	MostTransactions = 4096
	TransactionName  = 256
)

// MaxFrame bounds a frame's payload in bytes; a class file may be larger than one method's 64 KB, but not by much more than this.
const MaxFrame = 64 << 20

// HeaderSize is the length of a frame's header in bytes: type, payload length.
const HeaderSize = 8

func (t Type) String() string {
	for _, m := range Messages {
		if m.Type == t {
			return m.Name
		}
	}
	return fmt.Sprintf("Type(%d)", uint32(t))
}
