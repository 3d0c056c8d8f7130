package profile

import (
	"time"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// Profile is a recording, folded. Sites, Threads, Skipped and Losses are in a
// fixed order that depends on names only.
type Profile struct {
	Process       *trace.Process       // nil if the recording has lost its first record
	Classes       *trace.Seen          // nil if the recording has no totals over classes
	Adaptation    *trace.Adaptation    // nil if nothing was placed again
	ContextTotals *trace.ContextTotals // of contexts; nil if they are unknown
	// sites that allocated, and methods that executed bytecodes, by class, method, descriptor, bci, type
	Sites     []Site
	Threads   []Thread // threads that allocated, by name
	Bytecodes bool     // executed bytecodes were counted
	// where snapshots were taken every so many bytecodes, how many the classes of the program had executed at the last;
	// else 0
	ProgramBytecodes int64
	Tracked          bool             // contexts were tracked; otherwise each ends after one method
	Contexts         []Context        // the parent before its children, these in order of names
	Methods          []symbols.Method // that stand in Contexts, by name
	Skipped          []Skipped        // classes that ran uninstrumented, by name
	Losses           []trace.Loss     // what the recording lacks, by kind
	Damage           []*trace.Damage  // ranges of the recording that could not be read; a loss says so too
	Total            Amount           // sum over Sites
	Started          time.Time        // zero if unknown
	Duration         time.Duration    // from the start to the last thing recorded
	Span             *Span            // what the numbers are of; nil for all of the recording
	Complete         bool             // the last snapshot was taken, with live frames
	Reason           string           // why the recording ended, empty if it was cut short

	Increments      int64 // updates of profiling state in memory that the program made
	SiteIncrements  int64 // what one counter per site would have made
	SitesDefined    int   // sites known, those that never allocated included
	SitesAllocated  int   // of them, those that did
	ThreadsRecorded int   // threads known, those that never allocated included

	Executed       Executed        // methods that allocated
	Reconciliation *Reconciliation // with what the JVM says its threads allocated; nil if that is unknown

	origin origin
}

// Amount is what was allocated.
type Amount struct {
	Objects  int64 // objects, arrays among them
	Elements int64 // array elements
	Bytes    int64 // bytes on the heap, headers and alignment included, of the Objects less Unsized
	Unsized  int64 // objects whose size the recording does not give

	Bytecodes int64 // executed; not of types, nor of sites that allocate
}

// Add adds b to a.
func (a *Amount) Add(b Amount) {
	a.Objects += b.Objects
	a.Elements += b.Elements
	a.Bytes += b.Bytes
	a.Unsized += b.Unsized
	a.Bytecodes += b.Bytecodes
}

// BytesKnown reports whether Bytes says anything: false if not one of the
// objects has a known size.
func (a Amount) BytesKnown() bool { return a.Unsized == 0 || a.Unsized != a.Objects }

// IsZero reports whether nothing was allocated.
func (a Amount) IsZero() bool { return a == Amount{} }

// Site is a place in the program that allocates one type. Instrumenting a
// class again does not make new sites; loading its name by another loader does.
type Site struct {
	Class      string // declaring class as Class.getName prints it
	Method     string // <init> and <clinit> as in the class file
	Descriptor string // of the method, as in the class file
	BCI        int32  // bytecode index in the class file as loaded
	Line       int32  // source line, -1 unknown
	Source     string // source file, empty if unknown
	Type       string // allocated type in Java's words: java.lang.String, int[][]
	Array      bool   // Type is an array
	// nothing is allocated here: Amount has the bytecodes that the method executed; BCI and Line are -1, Type is empty
	Executed   bool
	Loader     string // loader of Class; empty unless the name was loaded twice
	TypeLoader string // loader of Type; empty unless the name was loaded twice
	Amount     Amount // over all threads
}

// Thread is what one Java thread did; virtual threads appear as their carrier.
type Thread struct {
	Name    string
	Carrier bool   // ran virtual threads
	JavaID  int64  // Thread.threadId(), 0 unknown
	Merged  int    // how many threads this stands for: 1, more where threads were too many to keep apart
	Cells   []Cell // by Site, then by Context; the sum over all threads is Site.Amount
}

// Cell is what one thread allocated at one site in one context. A virtual thread may
// count on one carrier and allocate on another: a cell can be negative, sums are not.
type Cell struct {
	Site    int32 // index in Profile.Sites
	Context int32 // index in Profile.Contexts, of one that ends in the site's method
	Amount  Amount
}

// Skipped is a class that ran as it was, uncounted.
type Skipped struct {
	Class  string // as Class.getName prints it
	Reason string
}

// Title is the thread's name for a reader: carriers are marked.
func (t *Thread) Title() string {
	if t.Carrier {
		return t.Name + " (carrier)"
	}
	return t.Name
}
