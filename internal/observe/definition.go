package observe

import (
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// A Choice is how users choose an observer.
type Choice int

// The ways to choose an observer.
const (
	Tracked  Choice = iota // by its name in --track
	Switched               // by a flag of its own
	Always                 // it is there in every recording
)

// Definition is an observer as users and the class cache know it.
type Definition struct {
	Name    string // as --track has it, or its flag
	Choice  Choice
	Help    string // of its flag, where it is Switched
	About   string // for "mallard help tracks": lines of at most 74 columns; where it is not Tracked, about its flags
	Default bool   // tracked unless others are
	Besides bool   // where it is so by Default, it stays when --track names others
	Options []Option

	// Check says, once all options are set, why they do not go together; nil: they always do.
	Check func() error

	// Needs names other observers, which are there if it is; nil: none.
	Needs func() []string

	// Recorded are the names by which recordings have it; nil: its own.
	Recorded func() []string

	// Variant names how it changes the code of classes, for the class cache; nil: not at all.
	Variant func() string

	// PerLoader says that the code of a class depends on who loads it: then those of the boot loader alone, in which
	// nothing is changed for it, are in the class cache, which knows classes by their bytes. nil: it does not.
	PerLoader func() bool

	// JVMOptions are what JVMs should be started with, by those who start them.
	JVMOptions []string

	// FixesPlacement says that counters must stay where they are placed at first; nil: they need not.
	FixesPlacement func() bool

	// Questions are what its events answer.
	Questions []Question

	// Open makes the observer of a JVM, which is closed at its end.
	Open func(*Host) (Observer, error)
}

// An Option is a flag of the command line, and a word behind -agentpath.
type Option struct {
	Name    string
	Value   string   // what it takes, for help: a word in capitals; "" for a switch
	Choices []string // all values, or examples for completion
	Closed  bool     // Choices are all
	Default string
	Help    string
	Set     func(text string) error // the error says what is allowed
}

// A Question is what users can ask of what an observer saw happen, by a flag of "mallard report".
type Question struct {
	Name     string // the flag
	Help     string
	Observer string // as trace.Process.Track has it

	// Answer makes a table of the observer's events, in the order in which they were recorded. They may be damaged.
	Answer func(process *trace.Process, events []*trace.Events) *profile.EventTable
}

// A Switch is an option that takes no value.
func Switch(name, help string, on *bool) Option {
	return Option{Name: name, Help: help, Set: func(text string) error {
		*on = text != "false"
		return nil
	}}
}

// Text is an option that takes any text.
func Text(name, value, help string, to *string) Option {
	return Option{Name: name, Value: value, Help: help, Set: func(text string) error {
		*to = text
		return nil
	}}
}
