package profile

import (
	"cmp"
	"time"

	"mallard/internal/classpath"
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// Profile is a recording, folded. Sites, Threads, Skipped and Losses are in a
// fixed order that depends on names only.
type Profile struct {
	Process  *trace.Process  // nil if the recording has lost its first record
	Programs []trace.Program // what the recording is the sum of; else the one that it is of
	// Own finds what the class path of the program's command line says of the user's own code, given the main class,
	// or nothing where it is not known; nil: nobody looks
	Own           func(main string) classpath.Own
	Merged        bool                 // it is the sum of several recordings: nothing is known of what happened when
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
	Kept             *trace.Kept      // where events before some instant were given up; else nil
	Total            Amount           // sum over Sites
	Started          time.Time        // zero if unknown
	Duration         time.Duration    // from the start to the last thing recorded; of several programs the sum
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
	tagged func(tag uint32) Made
	sizes  map[string]*TransactionSizes
	loader func(class string, loader trace.LoaderID) (title string, several bool)
	table  *symbols.Table
}

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
	Executed bool
	Looped   bool // the code may come back here in the same invocation: see trace.SiteDef
	Copied   bool // a call made it that clones or copies, or it takes the place of another: see trace.SiteDef
	// bytecode index of what the code hands the object to, 0 for none: see trace.SiteDef
	PassedTo int32

	Loader     string // loader of Class; empty unless the name was loaded twice
	TypeLoader string // loader of Type; empty unless the name was loaded twice
	Amount     Amount // over all threads
}

// Thread is what one Java thread did; virtual threads appear as their carrier.
type Thread struct {
	Name    string
	Carrier bool   // ran virtual threads
	JavaID  int64  // Thread.threadId(), 0 unknown
	Merged  int    // how many threads this stands for: more than 1 where there were too many, 0 for the JVM
	Program int32  // index in Profile.Programs
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

// Context is a chain of calls that ends in an invocation of a method.
type Context struct {
	Parent int32 // index in Profile.Contexts of the context that called, -1 for none
	Method int32 // index in Profile.Methods, of what was called
	BCI    int32 // bytecode index of the call in the parent's method, -1 unknown
	Line   int32 // source line of the call, -1 unknown
	Calls  int64 // invocations, of a transaction how often it began; 0 if the recording does not say
}

// Span is a part of a recording, since its start. Its ends are snapshots: of an instant that is asked for, it is
// the first snapshot from then on. So spans that follow each other add up.
type Span struct {
	From time.Duration
	To   time.Duration // 0 for the end
}

// Executed says of the methods that allocated how many have a weaker placement than was asked for, and so need more
// increments: those that cannot have corrections for exceptions or would be too long for the compilers. An adapted
// method counts as what it was at last.
type Executed struct {
	Methods         int   // that allocated
	Fallback        int   // of them, with a weaker placement
	FallbackObjects int64 // what those allocated
}

// compareCells orders cells by site, then by context.
func compareCells(a, b Cell) int {
	if a.Site != b.Site {
		return cmp.Compare(a.Site, b.Site)
	}
	return cmp.Compare(a.Context, b.Context)
}

// origin is what a second reading of the recording has to know of the first.
type origin struct {
	records int
	sites   []int32 // by index in folder.sites: in Profile.Sites, -1 for what allocated nothing
	sizes   []sized
	threads map[trace.ThreadID]Thread // of those that are kept apart, without cells
	indexes map[trace.ThreadID]int32  // the same, that have cells: in Profile.Threads
	context func(node int32) int32    // by index in symbols.Contexts.Nodes: in Profile.Contexts
	alone   map[int32]int32           // by index in folder.sites: the context of what was counted outside of contexts
}

// Made is what made an object.
type Made struct {
	Site    *Site // without amounts; nil where nobody knows
	Context int32 // index in Profile.Contexts; NoContext
	// Title of the thread, or of threads that have the same; "" where nobody knows
	Thread string
	// there were more sites, or sites in contexts, than numbers for them, and it is one of the others
	Numberless bool
}

// NoContext stands for a context that is not known, or was not recorded.
const NoContext = -1

// Ended reports whether the recording says how the program ended.
func (p *Profile) Ended() bool { return p.Complete || p.Reason != "" }

// Length is how long the program ran in what the numbers are of.
func (p *Profile) Length() time.Duration {
	if p.Span != nil && p.Span.To > 0 {
		return p.Span.To - p.Span.From
	}
	return p.Duration
}

// Seconds is Length in seconds.
func (p *Profile) Seconds() float64 { return p.Length().Seconds() }
