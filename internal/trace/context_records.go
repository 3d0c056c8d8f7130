package trace

import "mallard/internal/abi"

// A context is a chain of calls: from a thread's first frame to an invocation of
// a method. A MethodDef with a Number counts in contexts: the values of its
// counters are in ContextCounts, one for each context that ends in it. What it counted
// in none, as there was no memory for more contexts, is in Snapshots.

// MethodName names a method that stands in contexts but counts nothing: a native
// one, or one that was left as it was. It comes before the first ContextNode with
// its number.
type MethodName struct {
	Number     MethodID // of no MethodDef
	Loader     LoaderID // defining loader of Class
	Class      string   // internal form
	Name       string   // e.g. invoke0
	Descriptor string   // e.g. (J)V
	Source     string   // SourceFile attribute of Class, empty if absent or unknown
	Native     bool     // has no bytecode
}

// Transaction gives a number to a name that the program gave to
// mallard.Context.begin or enter. It stands in contexts as a method does: what the
// invocation that began the transaction does and calls until it ends has a context of
// its own, whose parent is the transaction's; the parent of that is the invocation's
// caller. One that a thread entered has none, or the one around it, and is the parent
// of the thread's first frames. It comes before the first ContextNode with its number.
type Transaction struct {
	Number MethodID // of no MethodDef and no MethodName
	Name   string   // [other] for what there were too many names for
}

// TransactionSizes says what the transactions of a name have allocated that have ended: as the VM has it, without what
// compilers removed, and with what was in transactions inside them. The last one of a number holds.
type TransactionSizes struct {
	Number MethodID
	Ended  uint64      // transactions that have ended
	Bytes  uint64      // of those that are in Sizes, of which it is known
	Most   uint64      // bytes of one of them
	Sizes  []SizeCount // ascending
}

// SizeCount says how many transactions are of a size: in a histogram in which sizes below abi.SizeSteps have a step
// each, and above each power of two is divided into so many.
type SizeCount struct {
	Step  uint32
	Count uint64
}

// Bytes is the middle of a step.
func (c SizeCount) Bytes() int64 {
	if c.Step < abi.SizeSteps {
		return int64(c.Step)
	}
	shift := min(c.Step/abi.SizeSteps-1, 44)
	first := int64(abi.SizeSteps+c.Step%abi.SizeSteps) << shift
	return first + 1<<shift/2
}

// Contexts makes contexts known. It comes before all records that have their
// numbers.
type Contexts struct {
	Nodes []ContextNode // a parent before its children; best ascending by number, and some thousands at most
}

// ContextNode is one more call on the end of a known context. A parent may have
// several nodes for one call of one method, which then are one context for a
// reader.
type ContextNode struct {
	ID     ContextID // never used again
	Parent ContextID // the context of the call; 0 if Method is a thread's first frame
	Method MethodID  // the method called
	BCI    int32     // of the call in the parent's method, in the class file as loaded, -1 unknown
	Line   int32     // source line of the call, -1 unknown
}

// ContextCounts is a Snapshot of contexts: what changed in those of one thread
// since its previous ContextCounts or, if Full, all that is not zero. Values are
// totals; those of one context stand together. Several may make up one round, in
// which all are Full or none.
type ContextCounts struct {
	Nanos       int64                // since Process.Started
	Thread      ThreadID             // whose contexts; each context belongs to one thread
	Full        bool                 // of the contexts in Values, counters that are not there are zero
	Values      []ContextValue       // best ascending by context, then by counter, and some thousands at most
	Invocations []ContextInvocations // best ascending by context
}

// ContextValue is the value of one counter in one context.
type ContextValue struct {
	Context ContextID // ends in the method that has the counter
	Counter CounterID // ClassDef.CounterBase included
	Value   int64     // as in CounterValue
}

// ContextInvocations says how often a context was entered: of transactions, and where contexts are a tree.
type ContextInvocations struct {
	Context ContextID
	Count   int64 // invocations of its method, those that go on included
}

// ContextTags has tags that objects may still have, and that no ContextCounts of the round of a Keyframe has: of
// threads that have ended, and of methods that were unloaded. It is in that round; who begins to read there needs it,
// all others pass it over. A thread may have several.
type ContextTags struct {
	Thread  ThreadID       // whose contexts
	Name    string         // as in Thread
	Carrier bool           // as in Thread
	Values  []ContextValue // of counters of the kind Tag; best ascending by context, and some thousands at most
}

// ContextLiveFrames is LiveFrames for contexts: its terms are to be subtracted
// from what ContextCounts say. There may be several, which add up: what
// invocations counted when their thread was not yet in a transaction, or not any
// more, is moved by them as well.
type ContextLiveFrames struct {
	Thread ThreadID      // whose invocations
	Terms  []ContextTerm // sum over its invocations
}

// ContextTerm is one component of a sparse vector over contexts and sites.
type ContextTerm struct {
	Context     ContextID // of the invocation
	Site        SiteID    // in the context's method
	Coefficient int64     // allocations at the site, may be negative
}

// ContextTotals gives running totals over what contexts take of the program, memory
// and time; the last one holds.
type ContextTotals struct {
	Bytes uint64 // all that threads have taken, for nodes and what they are found with, and all below
	// of contexts that a thread has both of; threads that had a counter block one after the other, and with it one
	// tree, are one here
	Pairs       uint64
	Epochs      uint64 // where contexts are encoded, the epochs so far; otherwise this and all below but Asked are 0
	Calls       uint64 // that have constants in the last epoch, each with one callee
	GraphBytes  uint64 // for the calls in all epochs
	Anchors     uint64 // chains of calls behind which numbers start again
	AnchorBytes uint64 // for them
	Asked       uint64 // times that a thread waited for the recorder to say where an invocation belongs
}
