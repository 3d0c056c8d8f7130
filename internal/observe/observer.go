package observe

import (
	"errors"
	"log/slog"
	"time"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/profile"
	"mallard/internal/recording"
	"mallard/internal/trace"
	"mallard/internal/transport"
	"mallard/internal/transport/events"
)

// Host is what an observer has of the session that it is in.
type Host struct {
	Recording *recording.Recording
	Memory    *counters.Memory
	Space     *counters.Space
	Tags      *counters.Tags
	Threads   *counters.Threads // for the counting goroutine
	Counting  *counters.Loop
	Classes   func() *classes.Table // there once the JVM runs
	Log       *slog.Logger

	// Of the JVM.
	Collector     string // as the agent calls it
	MemoryAddress uint64 // where the shared memory is in its address space
	Arena         uint64 // bytes behind the thread counter blocks
	Launched      bool   // it was started with the observers' options
	Kept          bool   // its recording gives up what is old

	// KeepEvents gives a handler of events that records them as they come, as those of the named observer, and for
	// keyframes what they come to, where somebody follows them; nil: nobody does.
	KeepEvents func(observer string, follower recording.Follower) events.Handler
	// Poll handles what the agent has left in the message ring.
	Poll func()
	// Snapshot takes a snapshot; it is for the counting goroutine.
	Snapshot func()
	// Measure has a snapshot taken and gives all that is known to have been done until then; false after the end.
	Measure func() (now profile.Amount, at time.Time, ok bool)
	// Say tells the user something while the program runs; nil where only the agent can.
	Say func(text string)
	// Fault is called with a name at the beginning of what a test may want to fail.
	Fault func(point string)
}

// An Observer records something of one JVM. It embeds [Base] for what it has nothing to say about.
type Observer interface {
	// Facts adds what the runtime classes have to know.
	Facts(*instrument.Facts)
	// Code says what is needed of the code of a loader's classes. Any goroutine may call it.
	Code(trace.LoaderID, *instrument.Options)
	// Flags are what the agent has to know (abi.Contexts, ...).
	Flags() uint32

	// Messages are the agent's requests that Handle answers. It must not wait for a disk, or for counters to be read.
	Messages() []abi.Type
	Handle(transport.Frame) (answer []byte, err error)
	// Unanswered says what is lost where the agent had no answer to such requests in time, or made none since it had
	// none to others.
	Unanswered(abi.Type) (loss string)

	// Events are what the agent learns while the world is stopped, with who takes them; it hears of no others. Handlers
	// run in one goroutine.
	Events() map[events.Kind]events.Handler
	// Less says what is less at each level of its events above 0, which is used where they come faster than they are
	// read: "garbage collections were recorded without ...". The agent knows the levels.
	Less() []string
	// EventBytes is how much room for events the observer wants; 0: it has no wish.
	EventBytes() int

	// Snapshot records what has come since the last one; the last of all records everything. The mark may say so. The
	// counting goroutine calls it.
	Snapshot(mark *trace.Mark, last bool)

	// Run works besides, in a goroutine of its own, until stop is closed.
	Run(stop <-chan struct{})

	// Finish records the losses, after the last snapshot; Close gives back what the observer has.
	Finish()
	Close()
}

// Base is an observer of nothing.
type Base struct{}

// What Base does is nothing.
func (Base) Facts(*instrument.Facts)                  {}
func (Base) Code(trace.LoaderID, *instrument.Options) {}
func (Base) Flags() uint32                            { return 0 }
func (Base) Messages() []abi.Type                     { return nil }
func (Base) Unanswered(abi.Type) string               { return "" }
func (Base) Events() map[events.Kind]events.Handler   { return nil }
func (Base) Less() []string                           { return nil }
func (Base) EventBytes() int                          { return 0 }
func (Base) Snapshot(*trace.Mark, bool)               {}
func (Base) Run(<-chan struct{})                      {}
func (Base) Finish()                                  {}
func (Base) Close()                                   {}
func (Base) Handle(transport.Frame) ([]byte, error) {
	return nil, errors.New("unexpected frame")
}

// Besides, an observer may be one of these.
type (
	// Contexts are where methods count in place of their threads' blocks.
	Contexts interface {
		classes.Contexts
		counters.Extension
		// Method says what contexts have to know of a frame's method.
		Method(class classes.Key, name string, native bool, lines []transport.Line) FrameMethod
		// Frames finds the contexts of a stopped thread's frames, innermost first; 0 for those that have none, nil if
		// none has. The counting goroutine calls it.
		Frames(b counters.Block, flags uint32, frames []Frame) []trace.ContextID
		// Entered changes the facts for runtime classes that are changed in the JVM; false where they need not be.
		Entered(*instrument.Facts) bool
	}

	// An Untagger knows sites that need not give tags to their objects any more.
	Untagger interface {
		// Implied gives those that it has not given yet; soon is for tests: few objects are enough.
		Implied(soon bool) []classes.ImpliedSite
	}

	// A Watcher may watch objects.
	Watcher interface {
		Watches() bool
		// Pause is how long at most no class does, between two moments.
		Pause() time.Duration
		// Readers are classes, by their names, and how much it is worth that their code tells what it reads.
		Readers() map[string]float64
	}

	// A Greeter tells the agent in the answer to its first frame how it wants to observe.
	Greeter interface {
		Greet(*transport.HelloAnswer)
	}

	// A Controller converses with the thread of the agent that does what the recorder wants, in place of adaptation.
	Controller interface {
		Control(conn *transport.Conn, stop <-chan struct{})
	}
)

// FrameMethod is what contexts know of a frame's method.
type FrameMethod struct {
	Counts  bool              // in its contexts
	ID      calltree.MethodID // 0: in no context
	Native  bool
	Skipped bool // the JVM prints no such frame
}

// A Frame is one of a stopped thread.
type Frame struct {
	Method FrameMethod
	PC     int
}
