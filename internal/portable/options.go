package portable

import (
	"io"

	"mallard/internal/placement"
)

// Options says how a program is made.
type Options struct {
	Placement placement.Strategy
	Contexts  bool   // who called what allocates is recorded as well
	Version   string // of mallard

	// Packages of java.base that count as well. Launcher is a java of the JDK that is to run the program, and Patch
	// gets the jar that patches its java.base.
	Packages []string
	Launcher string
	Patch    io.Writer
}

// track says what is recorded, as trace.Process.Track has it.
func (o *Options) track() string {
	if o.Contexts {
		return "contexts"
	}
	return "sites"
}

// Result says what became of a program.
type Result struct {
	Classes      int // in the input
	Instrumented int // that were changed
	Counters     int
	Skipped      []Skipped
	Signed       bool     // signatures were left out
	Nested       []string // jars inside the jar that were left as they are, as they are no libraries of it
}

// Skipped is a class, or a method of one, that counts nothing because something is wrong with it.
type Skipped struct {
	Name   string // entry of the jar
	Reason string
}
