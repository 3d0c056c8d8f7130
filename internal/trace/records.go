package trace

// The integer spaces of a recording. Only a CounterID may be used again within
// one file, see Retired.
type (
	// LoaderID numbers class loaders.
	LoaderID uint32
	// ClassID numbers instrumented class versions, dense from 0 in order of
	// definition: a gap in a reader's sequence is a lost ClassDef.
	ClassID uint32
	// SiteID numbers allocation sites, dense from 0 in order of definition.
	SiteID uint32
	// CounterID is the place of a counter in every thread counter block.
	CounterID uint32
	// ThreadID numbers threads, carriers of virtual threads among them.
	ThreadID uint32
	// MethodID numbers the methods that stand in contexts, instrumented versions
	// and others, from 1.
	MethodID uint32
	// ContextID numbers contexts, see ContextNode; 0 is none. It is what
	// mallard.Context.current() returns.
	ContextID uint64
)

// Process says what was recorded and how. It is the first record.
type Process struct {
	MallardVersion  string    // version of the mallard that recorded
	PID             int64     // process id of the JVM
	JVMVersion      string    // java.vm.version
	JVMName         string    // java.vm.name
	GC              string    // collector in use, e.g. G1; empty unknown
	Command         []string  // command line of the JVM, program first
	Started         int64     // start of the recording, Unix nanoseconds
	Track           []string  // observers switched on, e.g. sites
	Placement       string    // optimal, ducktracks or site
	Arch            string    // processor as Go names it, e.g. amd64
	ArrayBase       [4]uint32 // bytes before the first element of arrays whose elements have 1, 2, 4, 8 bytes
	RefBytes        uint8     // bytes of a reference in the heap
	ObjectAlignment uint32    // object sizes are multiples of this many bytes
}

// Loader names a class loader before the first class that it defined.
type Loader struct {
	ID    LoaderID // 0 is the boot loader
	Class string   // class of the loader, internal form; empty for the boot loader
	Name  string   // name the loader gave itself, may be empty
}

// ClassDef describes one instrumented version of a class: its sites and what
// its counters mean. It comes before every Snapshot that has its counters.
//
// The sites of Methods, taken in order, have the numbers SiteBase, SiteBase+1
// and so on.
//
// A class that is redefined while it runs has a ClassDef for each version, with
// numbers of its own; frames may go on counting in any of them. Sites that agree
// in everything but their numbers are one site.
type ClassDef struct {
	ID          ClassID     // one more than the ClassDef before
	Loader      LoaderID    // defining loader
	Name        string      // internal form, e.g. java/util/HashMap
	Source      string      // SourceFile attribute, empty if absent
	SiteBase    SiteID      // number of the first site
	CounterBase CounterID   // number of the first counter
	Counters    uint32      // how many numbers are taken from CounterBase on
	Methods     []MethodDef // methods that have sites or counters, or stand in contexts
	Bytes       uint32      // size of the class file as loaded
	NewBytes    uint32      // size of the class file as instrumented
	Micros      uint32      // time taken to instrument it, microseconds
}

// MethodDef is one method of a ClassDef.
type MethodDef struct {
	Name             string       // e.g. <init>
	Descriptor       string       // e.g. ([Ljava/lang/String;)V
	Sites            []SiteDef    // numbered from 0 within the method
	Counters         []CounterDef // in any order
	Fallback         string       // why the method has a weaker placement than was asked for, empty if it has not
	ThrowCrossesPath bool         // an exception may leave a path between two counters, so that its counts may be off
	// in contexts; 0 if it counts in none. One that the same method has already says that it has these counters, too
	Number MethodID
	Hidden bool // the JVM leaves its frames out of the stacks that it prints

	Constructors []ConstructorCall // that the method calls, if Process.Track has constructors
}

// ConstructorCall is an instruction that calls a constructor.
type ConstructorCall struct {
	BCI        int32  // bytecode index in the class file as loaded
	Class      string // whose constructor, internal form
	Descriptor string // of the constructor
	Chains     bool   // it is this() or super(), which makes no object
	Counted    bool   // Counter says how often the call was made, as the callee stands in no contexts
	Counter    uint32 // relative to ClassDef.CounterBase, a Path counter that adds nothing to any site
	// bytes of code from the new instruction whose object it always gets, as nothing in between can throw, to BCI; 0 if
	// there is none
	Behind uint32
}

// SiteDef is one place in a method that allocates one type. A multianewarray
// instruction is one SiteDef per level, outermost first, all with its BCI.
type SiteDef struct {
	BCI    int32    // bytecode index in the class file as loaded, -1 unknown
	Line   int32    // source line, -1 unknown
	Type   string   // allocated type: java/lang/String, [I, [[Ljava/lang/Object;
	Kind   SiteKind // what one allocation makes
	Length uint32   // array length, for ArrayConst
	Looped bool     // the code may come back to the instruction: it is between a jump back and where that leads
	// a call made it that clones or copies: clone, Arrays.copyOf; or it takes the place of a smaller table, in
	// HashMap.resize, whose first tables are of another site
	Copied bool
	// bytecode index of the call whose last argument is the array that the code makes and fills for it, as it does for
	// variable arguments; of the toString that ends what a StringBuilder concatenates in a loop, on the operand stack
	// alone; of the athrow that what is new goes to; 0 for none
	PassedTo uint32
}

// SiteKind says how the size of what a site allocates is known.
type SiteKind uint8

const (
	Instance   SiteKind = iota // an object; its size is its class's
	ArrayConst                 // an array whose length is SiteDef.Length
	ArrayLen                   // an array, measured by counters of the kinds Arrays, Elements, Bytes, and Packed
	// arrays of one level of multianewarray, or whatever a call may have made, counted by Arrays, Elements and Bytes
	Multi
	// what a call made that no allocation bytecode shows, an array or not; lengths and sizes are summed by Elements and
	// Bytes
	Called
	// no allocation: the bytecodes that the method executed; its BCI is -1, and Length is 1 if they are off where an
	// exception left a path
	Executed
	// what the JVM made to throw when it called this constructor, counted as Multi; its BCI is -1, and it belongs to
	// the instruction that its context was called from
	Raised
)

// CounterDef says what one counter means.
type CounterDef struct {
	Counter uint32      // relative to ClassDef.CounterBase
	Kind    CounterKind // what the value counts
	// what each increment or array adds to each site; for Elements, Bytes and Tag one term of coefficient 1 names the
	// site; for Packed, and for Arrays that have it, the first term is that of the measured site
	Semantics []Term
}

// CounterKind says what the value of a counter is.
type CounterKind uint8

const (
	Path     CounterKind = iota // how often a path was taken; each time adds Semantics to the sites' allocations
	Elements                    // sum of array lengths of one site
	Bytes                       // sum of array sizes of one site, bytes, aligned
	// number of arrays or objects of one site; each adds Semantics to the sites' allocations
	Arrays
	// three sums over the arrays of one site in one word, see Unpack; each array adds Semantics. Arrays are not counted
	// so any more
	Packed
	Sum // as Path, but one increment may have added several
	// what the objects of one site are tagged with in a context, from the first one on: 22 bits, and above them how
	// many others had the tag before
	Tag
)

// MayBeNegative reports whether values of a kind of counter may be below zero: packed sums use all bits, and what is
// taken back where an exception left a path is added to a Sum.
func (k CounterKind) MayBeNegative() bool { return k == Packed || k == Sum }

// Term is one component of a sparse vector over the sites of a method.
type Term struct {
	Site        uint32 // index in MethodDef.Sites
	Coefficient int32  // allocations at the site, may be negative
}

// ClassSize gives the instance size of an allocated class.
type ClassSize struct {
	Loader LoaderID // defining loader
	Name   string   // internal form
	Bytes  uint32   // size of an instance as the JVM states it, aligned
}

// Skipped names a class that ran uninstrumented.
type Skipped struct {
	Loader LoaderID // defining loader
	Name   string   // internal form
	Reason string   // one line
}

// Seen gives running totals over classes; the last one holds.
type Seen struct {
	Classes      uint64 // classes handed to the instrumenter
	Instrumented uint64 // classes that were changed
	Unchanged    uint64 // classes that had nothing to count
	Skipped      uint64 // classes left alone for a reason; each has a Skipped record
	Hidden       uint64 // hidden classes, which the JVM hands to nobody
	Methods      uint64 // methods with counters
	Adapted      uint64 // methods placed again with measured frequencies
	Fallback     uint64 // methods with a weaker placement than was asked for
	Cached       uint64 // classes that an earlier run had instrumented, or found nothing to count in
	Calling      uint64 // methods without counters that were changed because they stand in contexts
}

// Thread describes a thread. It is written before the thread's first
// Snapshot and again when its name changes and when it has ended.
type Thread struct {
	ID      ThreadID // a thread keeps its number
	Name    string   // as Java has it, may be empty
	Carrier bool     // runs virtual threads
	JavaID  int64    // Thread.threadId(), 0 unknown
	Ended   bool     // the thread's last Snapshot has been written
}

// Snapshot gives counters of one thread: those that changed since its previous
// Snapshot or, if Full, all that are not zero. Values are totals since the
// thread started, not differences. So a lost Snapshot costs only resolution in
// time, once a Full one follows; until then, the counters that did not change
// again are too low.
//
// The last Snapshot of a thread is Full, and so is each in the round of a Keyframe.
type Snapshot struct {
	Nanos  int64          // since Process.Started
	Thread ThreadID       // whose counters
	Full   bool           // a counter that is not in Values is zero
	Values []CounterValue // best ascending by counter: it makes the file smaller
}

// CounterValue is the value of one counter of one thread.
type CounterValue struct {
	Counter CounterID // where in the thread's counter block
	// increments, or sum of elements or bytes, since the thread started or the counter's number was last retired; below
	// zero only if they are Packed
	Value int64
}

// LiveFrames corrects a thread's totals for the invocations that were between
// two counters when its last Snapshot was taken: the terms are to be
// subtracted from what the counters say.
type LiveFrames struct {
	Thread ThreadID   // whose invocations
	Terms  []SiteTerm // sum over its invocations
}

// SiteTerm is one component of a sparse vector over all sites.
type SiteTerm struct {
	Site        SiteID // over the whole recording
	Coefficient int64  // allocations at the site, may be negative
}

// Mark ends a round of Snapshots: all threads up to here form one instant.
type Mark struct {
	Nanos    int64  // since Process.Started
	JVMBytes uint64 // bytes that the JVM says its threads allocated since it started, 0 unknown
	Contexts bool   // the round has ContextCounts of all threads as well, as far as there are contexts

	// Bytecodes that all threads have executed in classes of the program, if snapshots are taken every so many of
	// them; else 0.
	Bytecodes uint64
}

// Allocated gives what the JVM says a thread allocated until its last Snapshot.
type Allocated struct {
	Thread ThreadID // not one of the JVM's own
	Bytes  uint64   // of objects; unused ends of allocation buffers are not in it
}

// Internal gives bytes of Mark.JVMBytes that no site can have.
type Internal struct {
	// vm_start: made before the first bytecode ran; vm_threads: made by threads without counters of their own
	Cause string
	Bytes uint64 // until the end
}

// Causes of Internal.
const (
	VMStart   = "vm_start"
	VMThreads = "vm_threads"
)

// ClassObjects gives what the JVM made for the classes that were loaded at the end, or for threads of its own that ran
// then, of one type. Which threads made it is not known; it is in Mark.JVMBytes, and not in Internal.
type ClassObjects struct {
	Type     string // allocated type, internal form
	What     string // mirrors, initLocks, resolvedReferences, constants, names or threads
	Objects  uint64
	Elements uint64 // of arrays, in all
	Bytes    uint64 // on the heap, aligned
}

// Retired says that a class version is gone: the values of its counters are
// final, and a later ClassDef may take their numbers, counting from 0.
type Retired struct {
	Class ClassID // the version that is gone
}

// Adaptation gives running totals over the retransformation of classes with
// methods whose counters are better elsewhere; the last one holds.
type Adaptation struct {
	Batches       uint64 // times that the JVM was asked for it
	Classes       uint64 // new versions of classes
	Live          uint64 // times that a class was left alone because a method of it was running
	Refused       uint64 // classes that the JVM would not retransform
	JVMNanos      int64  // time that this took
	DecisionNanos int64  // time that the recorder took to decide
	Increments    int64  // path increments made by adapted methods, in their last versions; 0 before the end
	Baseline      int64  // what their first placement would have made instead, as far as that can be told
}

// Loss reports what is missing from the recording.
type Loss struct {
	Kind   string // what was lost, e.g. blocks
	Count  uint64 // how many
	Detail string // one line for the user
}

// End closes a recording that was not cut short.
type End struct {
	Nanos      int64  // since Process.Started
	Complete   bool   // the last Snapshot of every thread and its LiveFrames were taken
	ExitReason string // why the recording ended, one line
}
