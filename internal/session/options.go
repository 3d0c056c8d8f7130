package session

import (
	"cmp"
	"slices"
	"time"

	"mallard/internal/instrument"
	"mallard/internal/placement"
	"mallard/internal/trace"
)

// Observers is what Track can name; the first is the default.
var Observers = []string{"sites", ContextsObserver, ConstructorsObserver}

// ContextShape says how contexts are kept.
type ContextShape = instrument.ContextShape

// ContextShapes are the ways to keep contexts, by name.
var ContextShapes = map[string]ContextShape{"hashed": instrument.Hashed, "encoded": instrument.Encoded, "tree": instrument.Tree}

// ContextsObserver counts what [Observers] of sites do in each calling context.
const ContextsObserver = "contexts"

// ConstructorsObserver observes contexts, and counts constructors besides, for a check of the counts.
const ConstructorsObserver = "constructors"

// Options says what to record of a JVM.
type Options struct {
	Track       []string // observers; empty for sites
	Placement   placement.Strategy
	Contexts    ContextShape // how contexts are kept; hashed unless told otherwise
	ContextMB   int          // memory that contexts may take in the program, in MB; 0 for DefaultContextMB
	Bytecodes   bool         // count executed bytecodes as well
	JNI         bool         // count what native code makes as well
	Snapshots   Interval     // between two; in bytecodes it is as if Bytecodes were set
	OnSnapshot  string       // class that is called in the JVM at snapshots, "" for none; then nothing adapts
	NoAdapt     bool         // keep the first placement of every method
	NoCache     bool         // instrument every class anew, and keep none for the next run
	AdaptSoon   bool         // for tests: adapt whatever runs and whatever it saves, in classes with live frames too
	HugeMethods bool         // the JVM has been told to compile methods over 8,000 bytes ([Options.NeedsHugeMethods])

	// KeepClass, if set, gets each instrumented class file as it was, before its ClassDef is recorded. The bytes
	// are valid during the call.
	KeepClass func(id trace.ClassID, class []byte)

	// Fault, if set, is called by each goroutine and before each message, with a name: tests have it panic.
	Fault func(where string)

	Version string            // of Mallard, for the recording
	Quiet   bool              // there are no last words but of failures
	Say     func(text string) // tells the user something while the program runs; nil where only the agent can
}

// BytecodesObserver is what a recording has among its observers that has executed bytecodes.
const BytecodesObserver = "bytecodes"

// hashedContexts is what a recording has among its observers whose contexts are hashes.
const hashedContexts = "hashed"

// DefaultContextMB is the memory that contexts may take, in MB. What is allocated in contexts beyond it is known by its site alone.
const DefaultContextMB = 1024

func (o Options) tracks(observer string) bool {
	return slices.Contains(o.Track, observer) || observer == ContextsObserver && slices.Contains(o.Track, ConstructorsObserver)
}

// recorded is what a recording has as its observers.
func (o Options) recorded() []string {
	track := o.Track
	if len(track) == 0 {
		track = Observers[:1]
	}
	if o.Bytecodes {
		track = append(slices.Clone(track), BytecodesObserver)
	}
	if o.representation() == instrument.Hashed {
		track = append(slices.Clone(track), hashedContexts)
	}
	return track
}

// representation is how contexts are kept. Constructors need a context for every method, and its invocations.
func (o Options) representation() instrument.ContextShape {
	switch {
	case !o.tracks(ContextsObserver):
		return instrument.NoContexts
	case o.tracks(ConstructorsObserver):
		return instrument.Tree
	}
	return cmp.Or(o.Contexts, instrument.Hashed)
}

// cacheVariant names the way in which classes are instrumented, for those that are kept in the class cache; false for ways
// that few want.
func (o Options) cacheVariant() (string, bool) {
	if o.NoCache || o.Bytecodes || o.tracks(ConstructorsObserver) {
		return "", false
	}
	variant := o.Placement.String()
	for name, representation := range ContextShapes {
		if representation == o.representation() {
			variant += "-" + name
		}
	}
	if o.HugeMethods {
		variant += "-huge"
	}
	return variant, true
}

// NeedsHugeMethods reports whether the JVM should compile methods over 8,000 bytes: what announces its calls grows by
// eight bytes for each. Only who starts the JVM can tell it so.
func (o Options) NeedsHugeMethods() bool { return o.tracks(ContextsObserver) }

func (o Options) contextBytes() uint64 { return uint64(cmp.Or(o.ContextMB, DefaultContextMB)) << 20 }

// interval is how often what was counted is written.
func (o Options) interval() time.Duration { return cmp.Or(o.Snapshots.Time, DefaultSnapshots) }
