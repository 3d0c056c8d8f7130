package trace

// A recording may be the sum of several ("mallard merge"): it has a Program for each of them, and their counts in Sums
// instead of Snapshots, without the times between start and end. Its numbers of sites, methods, contexts and threads
// are its own. Where a name is the JVM's own and not the same in two of them, its numbers are left out of it.

// ProgramID numbers the programs of a merged recording, from 1.
type ProgramID uint32

// Program is a JVM whose recording was merged. It comes before the first Sums with its number.
type Program struct {
	Number     ProgramID
	File       string   // name of the recording, without its folder
	PID        int64    // process id of the JVM, 0 unknown
	JVMVersion string   // java.vm.version
	JVMName    string   // java.vm.name
	GC         string   // collector in use; empty unknown
	Command    []string // command line of the JVM, program first
	Started    int64    // start of what was merged of the recording, Unix nanoseconds; 0 unknown
	Nanos      int64    // how long that is
	Complete   bool     // the last snapshot was taken

	// What the JVM says that its threads allocated, bytes; 0 unknown, and then so is what follows.
	JVMBytes       uint64
	VMStart        int64 // bytes of it, from before the first bytecode ran
	VMThreads      int64 // bytes of it, of threads without counters
	EscapeAnalysis int64 // bytes counted and not allocated
	Unattributed   int64 // bytes allocated and not counted

	Increments     int64 // updates of profiling state in memory
	SiteIncrements int64 // what one counter per site would have made
}

// Sums says what a thread of a program allocated. Several of one thread add up.
type Sums struct {
	Program ProgramID
	Thread  ThreadID
	Threads uint32 // how many this stands for: more than 1 where there were too many, 0 for the JVM
	Cells   []SumCell
}

// SumCell is what was allocated at a site in a context.
type SumCell struct {
	Context  ContextID // that ends in the site's method; 0 for none that is known
	Site     SiteID    // of the kinds Called and Executed, or Instance and ArrayLen where the bytes are not known
	Objects  int64     // below zero where another thread of the program has more; bytecodes, of Executed
	Elements int64
	Bytes    int64
}
