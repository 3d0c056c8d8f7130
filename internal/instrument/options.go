package instrument

import (
	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
	"mallard/internal/placement"
)

// Options says how to instrument.
type Options struct {
	Placement placement.Strategy
	Redefined bool // the class exists already; the JVM will add the new constants to those that it has
	Attached  bool // the JVM was started without Mallard: classes get no fields, and what would need them is left out
	Bytecodes bool // executed bytecodes are counted as well, see [allocations.Executed]
	// with Bytecodes, methods report to their thread how many they execute: snapshots are taken every so many
	ReportBytecodes bool
	// whether methods that allocate, and those that call, know who called them: see [Context]
	Contexts Representation

	Tags bool // objects are tagged with the numbers of their sites: see tags.go
	// sites that give no tags, by their numbers in the class; where they make several objects at once they do
	Untagged map[uint32]bool

	Uncounted bool // nothing is counted: classes get their fields, and methods stay as they are

	// fields and elements that are read are told: see watch.go
	Watched bool

	// Portable is what the names of the classes begin with, in internal form, that instrumented code calls where no
	// agent is; "" where the runtime classes are in the JVM. Counters has the same methods, hooks aside, and knows
	// what any program can know: a string that was concatenated is measured, and not what was given to make it from.
	// Node and Transactions are for contexts, whose representation is [Tree] there.
	Portable string

	// HotSpot compiles methods of any length (-XX:-DontCompileHugeMethods), so that contexts may make some longer
	// than it otherwise would
	Huge bool
	// with Contexts: the class is a hidden one, whose frames stand in no stack: its methods that allocate know who
	// called them, and what they call does not know them
	Hidden bool
	// with Contexts, every constructor has them, and calls of constructors that cannot are counted: see [Construction]
	Constructors bool

	// with Contexts: Transactions, if set, says which methods are transactions by themselves, and how they are named;
	// nil for most
	Transactions func(*classfile.Class, *classfile.Member) *Naming

	// Leaf, if set, reports whether a method (name and descriptor) is known to be a leaf, and the only one that a
	// call in the class can come to that names it and this class: [Result.Leaves] of the class that the name stands
	// for there.
	Leaf func(class, method string) bool

	// if set, may give the graph of a method (name and descriptor) better frequencies than estimates
	Frequencies func(method string, g *cfg.Graph)
	Placed      func(m *Method, pl *placement.Plan) // if set, sees each method's plan
}

// BeginCall is what the call says that begins a transaction: [Call.Callee].
const BeginCall = emit.BeginCall

// Naming says how the invocations of a method are named that are transactions; see package emit.
type Naming = emit.Naming

// Representation says how contexts are kept; see package emit.
type Representation = emit.Representation

const (
	NoContexts = emit.NoContexts
	Tree       = emit.Tree
	Hashed     = emit.Hashed
	Encoded    = emit.Encoded
)

// marksStrings reports whether strings say that a builder has made them by executing toString: not with contexts, where
// no chain is replaced. What is concatenated otherwise says whether its array is deferred.
func (o *Options) marksStrings() bool {
	return o.Contexts == NoContexts && o.Portable == "" && !o.Attached
}

// ownsArrays reports whether some are not: where exceptions are only caught for their sake.
func (o *Options) ownsArrays() bool { return o.marksStrings() && !o.Bytecodes }
