package abi

import "fmt"

// Version is the number of the protocol. Agent and recorder come from one binary; a difference means that a stray
// library was loaded.
//
//abi:title The protocol's version
//abi:to c
const Version = 24

// A frame is a type, the length of its payload, and that.
//
//abi:title Frames
//abi:unit bytes
//abi:to c
const (
	FrameType        = 0  // 4 bytes: Type
	FramePayload     = 4  // 4 bytes: length of the payload
	FrameHeaderBytes = 8  // of both
	FrameTypes       = 64 // types are below
	// of a payload: a class file may be larger than one method's 64 KB, but not by much more than this
	MaxFrame = 64 << 20
)

// Type says what a frame carries.
type Type uint32

// The frames. The agent sends all but OK and Refuse.
const (
	OK Type = iota + 1
	Refuse
	Hello
	Runtime
	Class
	HiddenClass
	Loader
	Thread
	ThreadEnd
	ClassSizes
	Death
	LoadersGone
	Loss
	ClassCached
	Retransformed
	CallbackClass
	NextSnapshot
	Snapshot
	CodeLocation
	Resolve
	Transaction
	Mirror
	Watched
	Unanswered
	ClassMissed
	Command
	ClassMade
	LoadedClasses
	CountersMade
	SampledStack
	Sampled
	SampledPair
	SampledValue
	SampledWhole
	Budget
)

// Channel is what a message goes through.
type Channel int

const (
	Socket Channel = iota // the first socket, on which whoever asks waits for the answer
	Ring                  // the message ring, or the first socket where that is full: never answered
	// the second socket, of the agent's own thread: answered when there is something to do
	Control
)

// Kind is how a field is encoded: integers are little-endian.
type Kind int

const (
	U32    Kind = iota
	U64         //
	Bytes       // u32 length, then that many bytes
	Text        // the same
	Tail        // the same, at the end: the agent sends them from where they are
	One         // a record
	List        // u32 count, then that many records
	Packed      // u32 length, then records of that many bytes together; of answers
	Rest        // records up to the end of the payload
)

// Field is one of a record.
type Field struct {
	Name string // as in Go
	Kind Kind
	Of   *Record // of One, List, Packed and Rest
	Doc  string
}

// Record is fields one after another, in this order.
type Record struct {
	Name   string // as in Go
	Doc    string
	Fields []Field
}

// Message is one frame.
type Message struct {
	Type    Type
	Channel Channel
	Request bool // whether the agent waits for an answer
	Answer  *Record
	Record
}

// Records that are parts of messages and answers.
var (
	line = &Record{"Line", "a line of source", []Field{
		{"PC", U32, nil, "position in the code as the JVM has it"}, {"Line", U32, nil, ""}}}
	class = &Record{"ClassKey", "a class", []Field{
		{"Loader", U32, nil, "number of its loader, 0 for the boot loader"},
		{"Name", Text, nil, "in internal form"}}}
	hiddenFor = &Record{"Instruction", "an instruction of a running method; without a class where it is not known",
		[]Field{
			{"Class", One, class, ""},
			{"Source", Text, nil, "file"},
			{"Method", Text, nil, ""},
			{"Descriptor", Text, nil, ""},
			{"Code", Bytes, nil, "bytecode as the JVM has it"}, {"PC", U32, nil, ""}, {"Line", U32, nil, "0 unknown"}}}
	frame = &Record{"StackFrame", "a frame of a stack", []Field{
		{"Method", U32, nil, "number, in the order in which methods were described"}, {"PC", U32, nil, ""}}}
	resolveMethod = &Record{"StackMethod", "a method that stacks name", []Field{
		{"Class", One, class, ""},
		{"Name", Text, nil, ""},
		{"Descriptor", Text, nil, ""},
		{"Flags", U32, nil, "of a method"},
		{"Lines", List, line, ""}}}
	deathMethod = &Record{"LiveMethod", "a method that is running when the VM ends", []Field{
		{"Class", One, class, ""},
		{"Name", Text, nil, ""},
		{"Descriptor", Text, nil, ""},
		{"Code", Bytes, nil, "bytecode as the JVM has it"},
		{"Lines", List, line, "none without contexts"}}}
	parameters = &Record{"MethodParameters", "the parameters of a method", []Field{
		{"Name", Text, nil, ""},
		{"Descriptor", Text, nil, ""},
		{"Attribute", Bytes, nil, "MethodParameters, as class files have it (JVMS 4.7.24)"}}}
	classObjects = &Record{"ClassObjects", "objects of a type that the VM made for itself", []Field{
		{"Type", Text, nil, "internal form"},
		{"What", Text, nil, "what they are to the VM"},
		{"Objects", U64, nil, ""},
		{"Elements", U64, nil, "of arrays, in all"},
		{"Bytes", U64, nil, ""}}}
	deathThread = &Record{"LiveThread", "a thread that is running when the VM ends", []Field{
		{"Thread", One, thread, ""},
		{"Allocated", U64, nil, "bytes that the VM says it allocated, 0 unknown"},
		{"Frames", List, frame, "innermost first"}}}
	thread = &Record{"ThreadBlock", "a thread and where it counts", []Field{
		{"Block", U32, nil, "number of its counter block"},
		{"Flags", U32, nil, "of a thread"},
		{"Name", Text, nil, ""}}}
	metrics = &Record{"Metrics", "what was counted since a class of the user's was last called", []Field{
		{"Nanoseconds", U64, nil, ""},
		{"Objects", U64, nil, ""},
		{"Bytes", U64, nil, ""},
		{"Bytecodes", U64, nil, ""}}}
)

// Messages is the protocol.
var Messages = []Message{
	{Type: OK, Record: Record{"OK", "answer: done; the payload is what was asked for", nil}},
	{Type: Refuse, Record: Record{"Refuse",
		"answer: no; the payload is a reason for the user, and the agent disengages", nil}},
	{Type: Hello, Request: true, Record: Record{"Hello",
		"first frame: who is there; carries descriptors of the shared memory, of an empty memory for event rings, " +
			"and of the control channel's other end", []Field{
			{"Version", U32, nil, "of the protocol"},
			{"Feature", U32, nil, "the JDK's feature number"},
			{"Memory", U64, nil, "address of the shared memory"},
			{"Blocks", U32, nil, "how many"},
			{"BlockBytes", U32, nil, ""},
			{"ArenaBytes", U64, nil, ""},
			{"Shared", U64, nil, "address of block 0 that fields of threads are relative to"},
			{"FirstCounter", U32, nil, "numbers below count for a recorder before, in frames that are left; 0: none"},
			{"Collector", Text, nil, "empty: unknown"},
			{"VMName", Text, nil, ""},
			{"VMVersion", Text, nil, ""},
			{"Options", Text, nil, "the agent's"}}},
		Answer: &Record{"HelloAnswer", "", []Field{
			{"Flags", U32, nil, "of a session"},
			{"Events", U64, nil, "kinds of events that are recorded, a bit each"},
			{"Clock", U64, nil, "CLOCK_MONOTONIC when the recording began, nanoseconds"},
			{"AnswerWithin", U64, nil, "nanoseconds that the agent waits for an answer; 0: as before"},
			{"ExitWithin", U64, nil, "nanoseconds that it waits for all together when the VM ends; 0: as before"},
			{"ReplicaPause", U64, nil, "nanoseconds in each pause for contents of objects; 0: no limit"},
			{"ReplicaDepth", U32, nil, "to which contents are compared; 0: references by identity"},
			{"ReplicaSampled", U32, nil, "1: objects are sampled and watched"},
			{"ReplicaValues", U32, nil, "1: contents of some of them are recorded"},
			{"ReferencesEvery", U64, nil, "nanoseconds between two records of references; 0: at the end alone"},
			{"ReplicaClasses", Text, nil, "patterns for classes whose objects are hashed; empty: all"},
			{"Cache", Text, nil, "path of the class cache; empty: none"},
			{"Device", U64, nil, "the file's"},
			{"Inode", U64, nil, "the file's"},
			{"Runtime", Packed, &Record{"RuntimeClass", "a class file; the first is java.lang.$Mallard", []Field{
				{"Name", Text, nil, "internal form"},
				{"File", Bytes, nil, ""},
				{"Late", Packed, &Record{"LateFact", "a constant (CONSTANT_Long) that the agent writes", []Field{
					{"Offset", U32, nil, "of its eight bytes in the file"},
					{"Fact", U32, nil, "number of the late fact"}}}, ""}}}, ""}}}},
	{Type: Runtime, Record: Record{"Runtime",
		"the runtime classes exist, and what the agent wrote into them", []Field{
			{"ArrayBase1", U32, nil, "header bytes of arrays of 1-byte elements"},
			{"ArrayBase2", U32, nil, "of 2 bytes"},
			{"ArrayBase4", U32, nil, "of 4 bytes"},
			{"ArrayBase8", U32, nil, "of 8 bytes"},
			{"ArrayBaseRef", U32, nil, "of references"},
			{"Reference", U32, nil, "bytes"},
			{"Alignment", U32, nil, "of objects, bytes"},
			{"Klass", U32, nil, "offset of the Klass pointer in a class mirror"},
			{"LayoutHelper", U32, nil, "offset in a Klass"},
			{"Virtual", U32, nil, "offset of the table of virtual methods in the Klass of a class; 0: left alone"},
			{"Allocated", U64, nil, "bytes that the VM says it has allocated, 0: it does not say"},
			{"Agents", U64, nil, "bytes that the agent allocated then"}}}},
	{Type: Class, Request: true, Record: Record{"Class",
		"a class is being defined or changed; the answer is its new bytes, empty: unchanged", []Field{
			{"Loader", U32, nil, ""},
			{"Flags", U32, nil, "of a class"},
			{"Name", Text, nil, "may be empty"},
			{"Parameters", List, parameters, "that the JVM has left out of the file"},
			{"File", Tail, nil, "the class file"}}}},
	{Type: HiddenClass, Request: true, Record: Record{"HiddenClass",
		"a hidden class is being defined: no event says so, the JDK does; answered like CLASS", []Field{
			{"Loader", U32, nil, ""},
			{"For", One, hiddenFor, "where it was asked for"},
			{"File", Tail, nil, "the class file"}}}},
	{Type: Loader, Channel: Ring, Record: Record{"Loader", "a class loader was seen for the first time", []Field{
		{"Loader", U32, nil, ""}, {"Class", Text, nil, "descriptor of the loader's class"}}}},
	{Type: Thread, Record: Record{"Thread",
		"a thread has a counter block; again where more is known of it", []Field{
			{"Thread", One, thread, ""}}}},
	{Type: ThreadEnd, Record: Record{"ThreadEnd", "a thread ended: its block is to be folded and freed", []Field{
		{"Thread", One, thread, ""}, {"Allocated", U64, nil, "bytes that the VM says it allocated, 0 unknown"}}}},
	{Type: ClassSizes, Channel: Ring, Record: Record{"ClassSizes",
		"sizes of classes that were prepared", []Field{
			{"Sizes", Rest, &Record{"ClassSize", "a class and its instances' size", []Field{
				{"Loader", U32, nil, ""},
				{"Bytes", U32, nil, "of an instance"},
				{"Name", Text, nil, ""}}}, ""}}}},
	{Type: Death, Request: true, Record: Record{"Death",
		"the VM ends: all stacks; answered after the last snapshot with what the agent is to say on stderr", []Field{
			{"Methods", List, deathMethod, ""},
			{"Threads", List, deathThread, ""},
			{"Allocated", U64, nil, "bytes that the VM says they allocated, those of the overflow block included"},
			{"Watched", U32, nil, "1: they could not be stopped, Watched says later whether they ran on; else 0"},
			{"Made", List, classObjects, "none where threads could not be stopped, or where it is not known"}}}},
	{Type: Watched, Request: true, Record: Record{"Watched",
		"what became of threads that could not be stopped; answered as Death", []Field{
			{"Ran", U32, nil, "how many ran while their stacks and counters were read"}}}},
	{Type: Unanswered, Record: Record{"Unanswered",
		"requests that the agent did not wait for or did not make, since an answer was late", []Field{
			{"Request", U32, nil, "their type"}, {"Count", U32, nil, ""}}}},
	{Type: ClassMissed, Record: Record{"ClassMissed",
		"a class stays as it is, since there was no answer in time", []Field{
			{"Loader", U32, nil, ""},
			{"Flags", U32, nil, "of a class"},
			{"Name", Text, nil, "may be empty, and is for a hidden class"}}}},
	{Type: LoadedClasses, Record: Record{"LoadedClasses",
		"classes that were there before the agent was attached: they are to be retransformed", []Field{
			{"Classes", Rest, class, ""}}}},
	{Type: Command, Request: true, Record: Record{"Command",
		"the JVM is about to start a program (java.lang.Process)", []Field{
			{"Program", Bytes, nil, "as given; a name without a slash is looked for on the PATH"},
			{"Directory", Bytes, nil, "where it is to run; empty: where the JVM does"},
			{"Path", Bytes, nil, "the JVM's PATH"},
			{"Arguments", Bytes, nil, "without the first, the program; a 0 byte ends each"},
			{"Environment", Bytes, nil, "a 0 byte ends each variable"}}},
		Answer: &Record{"CommandAnswer", "how it is to be started", []Field{
			{"Flags", U32, nil, "of a command: what differs"},
			{"Arguments", Bytes, nil, "empty where they do not"},
			{"Environment", Bytes, nil, "empty where it does not"}}}},
	{Type: LoadersGone, Record: Record{"LoadersGone",
		"class loaders were freed, and their classes unloaded", []Field{
			{"Loaders", Rest, &Record{"LoaderGone", "a loader", []Field{{"Loader", U32, nil, ""}}}, ""}}}},
	{Type: Loss, Record: Record{"Loss", "something was lost, and is to be recorded", []Field{
		{"Kind", Text, nil, ""}, {"Count", U64, nil, ""}, {"Detail", Text, nil, ""}}}},
	{Type: ClassCached, Channel: Ring, Record: Record{"ClassCached",
		"a class is being defined and was in the class cache", []Field{
			{"Loader", U32, nil, ""},
			{"Entry", U64, nil, "offset in the cache"},
			{"First", U32, nil, "number of the class's first counter"},
			{"Method", U32, nil, "number of its first method with contexts"}}}},
	{Type: Retransformed, Channel: Control, Request: true, Record: Record{"Retransformed",
		"what was asked for is done; the first one asks only", []Field{
			{"Nanoseconds", U64, nil, "that it took"},
			{"Failed", U32, nil, "classes that could not be made as they were when the agent was detached"},
			{"Outcomes", Rest, &Record{"Outcome", "of a class, in the order of the answer before", []Field{
				{"Outcome", U32, nil, "of retransforming"}}}, ""}}},
		Answer: &Record{"RetransformAnswer", "classes to retransform", []Field{
			{"Flags", U32, nil, "of retransforming"},
			{"Counters", U32, nil, "with the last answer, below are the numbers that counters have had"},
			{"Implied", Packed, &Record{"ImpliedSite", "a site that is to give no tags any more", []Field{
				{"Tag", U32, nil, "that its objects have"},
				{"Class", U32, nil, "that its objects are of in walks"}}}, ""},
			{"Classes", Rest, class, ""}}}},
	{Type: CallbackClass, Channel: Control, Request: true, Record: Record{"CallbackClass",
		"asks for the name of the user's class that is called at snapshots, which is the answer", nil}},
	{Type: NextSnapshot, Channel: Control, Request: true, Record: Record{"NextSnapshot",
		"asks what to call it with at the next snapshot (by bytecodes only the last time); no answer after a failure",
		[]Field{
			{"Next", U64, nil, "nanoseconds until then, 0: as before"},
			{"Failure", Text, nil, "why there are no more, empty: there are"}}},
		Answer: metrics},
	{Type: Snapshot, Request: true, Record: Record{"Snapshot",
		"a thread is due for a snapshot; answered once it is taken, with nothing if the class is not called", []Field{
			{"Called", U32, nil, "1: the user's class is called then"}}}, Answer: metrics},
	{Type: CodeLocation, Request: true, Record: Record{"CodeLocation",
		"the VM makes objects at an instruction that has no counters for them", []Field{
			{"At", One, hiddenFor, ""},
			{"Types", Rest, &Record{"MadeType", "a type that is made there", []Field{
				{"Name", Text, nil, "internal form, or an array's descriptor"}}}, ""}}},
		Answer: &Record{"CodeLocationAnswer", "", []Field{
			{"First", U32, nil, "number of the first counter, three in a row for each type"}}}},
	{Type: ClassMade, Request: true, Record: Record{"ClassMade",
		"a call makes objects of a class that it has no counters for", []Field{
			{"Counter", U32, nil, "number of the call's first counter"},
			{"Name", Text, nil, "of the class: internal form, or an array's descriptor"}}},
		Answer: &Record{"ClassMadeAnswer", "", []Field{
			{"First", U32, nil, "number of the first of three counters; the call's: it is the type of its site"},
			{"Counters", U32, nil, "how many; 0: it is the type of its site; 2^32-1: another class's may differ"}}}},
	{Type: CountersMade, Channel: Ring, Record: Record{"CountersMade",
		"the agent has given a call counters for what it makes of a class, as CLASS_MADE said of the same call in a " +
			"class of the same entry of the class cache", []Field{
			{"Counter", U32, nil, "number of the call's first counter"},
			{"Name", Text, nil, "as in CLASS_MADE"},
			{"First", U32, nil, "number of the first one given"}}}},
	{Type: Resolve, Request: true, Record: Record{"Resolve",
		"a method was entered in another way than its caller's call says", []Field{
			{"Block", U32, nil, ""},
			{"Value", U64, nil, "tree and encoded contexts: the entry, -1: none is known; hashed ones: the hash"},
			{"Method", U32, nil, ""},
			{"Words", U32, nil, "of a node; hashed contexts: the announcement, 2^32-1 where the method counts"},
			{"Methods", List, resolveMethod, "that were not described before"},
			{"Frames", List, frame, "innermost first"}}},
		Answer: &Record{"ResolveAnswer", "", []Field{
			{"Node", U64, nil, "0: make it; encoded contexts: with its cacheability"},
			{"Methods", Rest, &Record{"FrameMethod", "of a frame", []Field{
				{"Method", U32, nil, "what contexts call it, 0 unknown, and flags of a frame's method"}}}, ""}}}},
	{Type: Transaction, Request: true, Record: Record{"Transaction",
		"a name that the program gives to what it does", []Field{
			{"Other", U32, nil, "1: for all names that there is no room for"}, {"Name", Text, nil, "modified UTF-8"}}},
		Answer: &Record{"TransactionAnswer", "", []Field{{"Number", U32, nil, "0: none"},
			{"Sizes", U64, nil, "node in whose place its sizes are, 0: nowhere"}}}},
	{Type: SampledStack, Channel: Ring, Record: Record{"SampledStack",
		"a stack in which sampled objects are made or read", []Field{
			{"Number", U32, nil, ""},
			{"Class", Text, nil, "descriptor of what is made; empty: objects are read"},
			{"Frames", Rest, &Record{"SampledFrame", "innermost first", []Field{
				{"Class", Text, nil, "internal form"},
				{"Method", Text, nil, ""},
				{"Descriptor", Text, nil, ""},
				{"Line", U32, nil, "0: unknown"}}}, ""}}}},
	{Type: Sampled, Channel: Ring, Record: Record{"Sampled", "an object is watched", []Field{
		{"Made", U32, nil, "number of the stack that made it"},
		{"Bytes", U64, nil, "of it"},
		{"Objects", U64, nil, "that it stands for"}}}},
	{Type: SampledPair, Channel: Ring, Record: Record{"SampledPair",
		"two objects of one class, length and stack or site were read at one place", []Field{
			{"Made", U32, nil, "number of the stack that made the second"},
			{"Read", U32, nil, "number of the stack that read it"},
			{"Outcome", U32, nil, "flags of a sampled pair"},
			{"Bytes", U64, nil, "of the second object"},
			{"Reads", U64, nil, "of the first that code saw while it was watched, times the objects it stands for"}}}},
	{Type: SampledValue, Channel: Ring, Record: Record{"SampledValue",
		"a pair was equal whole, where contents are recorded", []Field{
			{"Made", U32, nil, "number of the stack that made the second"},
			{"Hash", U64, nil, "of the contents"},
			{"Contents", Bytes, nil, "a value; empty: they were told before"}}}},
	{Type: SampledWhole, Channel: Ring, Record: Record{"SampledWhole",
		"an object is looked at whole, a while after it was made", []Field{
			{"Made", U32, nil, "number of the stack that made it"},
			{"Hash", U64, nil, "of its contents"}}}},
	{Type: Mirror, Request: true, Record: Record{"Mirror",
		"a thread counts in a transaction that it has entered, in a context that no call of ours led to", []Field{
			{"Block", U32, nil, ""},
			{"Node", U64, nil, "the thread's own"},
			{"Transaction", U64, nil, "node of the transaction"}}},
		Answer: &Record{"MirrorAnswer", "", []Field{
			{"Node", U64, nil, "that stands for the same context in the transaction, 0: none"}}}},
	{Type: Budget, Request: true, Record: Record{"Budget",
		"a test with a budget has ended: whether it allocated more; answered at once", []Field{
			{"Again", U32, nil, "1: asked before, with no answer yet"},
			{"Name", Text, nil, "of its transaction, modified UTF-8"}}},
		Answer: &Record{"BudgetAnswer", "", []Field{
			{"Later", U32, nil, "1: it is not known yet, and to be asked again"},
			{"Over", Text, nil, "what to tell the user, modified UTF-8; empty: it did not, or nobody knows"}}}},
}

// Flags of a class in Class and ClassMissed.
//
//abi:title Flags of a class
//abi:to c
const (
	ClassRedefined = 1 << iota // it exists already and we or another agent are changing it
	ClassHidden                // it is a hidden class
	ClassRestored              // it is to be as it was before the agent was attached, with the parameters
)

// How long the agent waits for answers, unless told otherwise.
//
//abi:title Limits of waiting
//abi:to c
const (
	AnswerSeconds     = 5 // for one
	LastAnswerSeconds = 1 // for all together when the VM ends
)

// Flags of a session, in the answer to Hello.
//
//abi:title Flags of a session
//abi:to c
const (
	Adapting          = 1 << iota // there will be answers to Retransformed
	Contexts                      // contexts are recorded
	SnapshotCallback              // a class of the user's is called at snapshots
	BytecodeSnapshots             // snapshots are taken every so many bytecodes
	CacheOfBootLoader             // the class cache has those of the boot loader alone
	Natives                       // what native code makes is counted
	Commands                      // the recorder is asked about commands
	Uncounted                     // nothing is counted: of all classes only java.lang.Thread is asked about
)

// Flags in the answer to Command.
//
//abi:title Flags of a command
//abi:to c
const (
	CommandArguments   = 1 << iota // it gets other arguments
	CommandEnvironment             // it gets another environment
)

// Flags in the answer to Retransformed.
//
//abi:title Flags of retransforming
//abi:to c
const (
	RetransformLive    = 1 << iota // frames do not matter
	RetransformCold                // frames do not matter that seem to do nothing but wait for what they have called
	RetransformAgain               // who is running is looked at again: those that do each time are left out
	RetransformWatched             // classes tell what they read then
	RetransformDetach              // no class, but all of them are to be as they were: the last answer
)

// A class to retransform, of whatever loader: the first one of that name.
//
//abi:title Loaders
//abi:to c
const AnyLoader = 1<<32 - 1

// Outcomes of asking for a class to be retransformed.
//
//abi:title Outcomes of retransforming
//abi:to c
const (
	OutcomeDone    = iota // it was
	OutcomeUnknown        // there is no such class any more
	OutcomeLive           // a method of it is running; the frame would stay interpreted as long as it runs
	OutcomeRefused        // the JVM would not
)

// Flags of a sampled pair.
//
//abi:title Flags of a sampled pair
//abi:to c
const (
	PairEqual  = 1 << iota // what was read was equal
	PairKnown              // both objects were compared whole, as they were when they were read
	PairCopies             // and were equal
	PairNear               // few other objects of the stack or site were sampled between them
)

// Flags of a thread.
//
//abi:title Flags of a thread
//abi:to c
const (
	ThreadCarrier = 1 << iota // it carries virtual threads
	ThreadVirtual             // it is virtual itself, and the block is that of its carrier
	ThreadEnded               // at the end: its block has been folded, and may be another thread's
)

// Flags of a method in Resolve.
//
//abi:title Flags of a method
//abi:to c
const MethodNative = 1 // it has no bytecode

// What resolving gives where nobody answers in time, instead of a node: it is asked for again.
//
//abi:title Unresolved
//abi:to c java
//abi:long
const Unresolved = 1 << 62

// Bounds of the names of transactions.
//
//abi:title Names of transactions
//abi:to c
const (
	MaxTransactions     = 4096 // names that the agent keeps
	MaxTransactionChars = 256  // of each that are kept
)

func (t Type) String() string {
	for _, m := range Messages {
		if m.Type == t {
			return m.Name
		}
	}
	return fmt.Sprintf("Type(%d)", uint32(t))
}
