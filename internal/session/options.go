package session

import (
	"cmp"
	"log/slog"
	"time"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/observe"
	"mallard/internal/placement"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// How long the JVM waits unless told otherwise: for an answer, and for all answers together when it ends.
const (
	DefaultAnswerWithin = abi.AnswerSeconds * time.Second
	DefaultExitWithin   = abi.LastAnswerSeconds * time.Second
)

// Options says what to record of a JVM.
type Options struct {
	Observers *observe.Set // those that are chosen, and how
	Placement placement.Strategy
	NoAdapt   bool // keep the first placement of every method
	// AnswerWithin is how long the JVM waits for an answer; 0: DefaultAnswerWithin.
	AnswerWithin time.Duration
	// ExitWithin is how long it waits for all answers together when it ends; 0: DefaultExitWithin, or AnswerWithin
	// where that is less.
	ExitWithin time.Duration

	// Keep is how much of its time a recording is to have at least; older records are given up. 0: none are.
	Keep time.Duration

	NoCache   bool // instrument every class anew, and keep none for the next run
	FewTags   bool // for tests: there are few numbers for counters, and few tags
	AdaptSoon bool // for tests: adapt whatever runs and whatever it saves, in classes with live frames too
	// Looked, if set, is called once when all classes have been tried that there were before Mallard was attached.
	Looked   func()
	Attached bool // the JVM was started without Mallard, which got into it later
	Launched bool // the JVM was started with the observers' options for it ([observe.Set.JVMOptions])

	// Command, if set, says how a program is to be started that the JVM, which is this process, is about to start.
	Command func(pid int, c *transport.Command) transport.CommandAnswer

	// KeepClass, if set, gets each instrumented class file as it was, before its ClassDef is recorded. The bytes are
	// valid during the call.
	KeepClass func(id trace.ClassID, class []byte)

	// Fault, if set, is called by each goroutine and before each message, with a name: tests have it panic.
	Fault func(point string)

	Version string            // of Mallard, for the recording
	Quiet   bool              // the final message is of failures alone
	Say     func(text string) // tells the user something while the program runs; nil where only the agent can
}

// waits are how long the JVM waits for an answer, and for all answers together when it ends.
func (o *Options) waits() (answer, exit time.Duration) {
	answer = cmp.Or(o.AnswerWithin, DefaultAnswerWithin)
	return answer, cmp.Or(o.ExitWithin, min(answer, DefaultExitWithin))
}

// adapts reports whether counters are to be placed again. It can be of no use for other strategies than the optimal
// one, which take no notice of frequencies.
func (o *Options) adapts() bool {
	return !o.NoAdapt && o.Placement == placement.Optimal && !o.Observers.FixesPlacement()
}

// openCache finds the class cache; nil where none is used.
func (o *Options) openCache(log *slog.Logger) *classes.Cache {
	if o.NoCache || o.Attached {
		return nil
	}
	variant, perLoader := o.Observers.Variant()
	if o.Launched && len(o.Observers.JVMOptions()) > 0 {
		variant += "-huge"
	}
	of := classes.AllLoaders
	if perLoader {
		of = classes.BootLoader
	}
	return classes.OpenCache(o.Placement.String()+variant, of, log)
}
