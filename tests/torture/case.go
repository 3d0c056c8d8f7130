package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"mallard/internal/jvmtest"
)

// An Ending is what a program does, what is done to it, and what is promised. Whatever it is: output, exit code and
// life are as without Mallard.
type Ending struct {
	Name     string
	Does     string   // for whom reads docs/reliability.md
	Argument string   // of the class Endings
	Options  []string // of the JVM
	Shell    string   // a shell says this before it becomes the command
	Line     string   // the program prints it before anything is done to it
	Signals  []Signal // what is done then
	Promise  Promise
	Markers  int64 // objects of the class Marker that a whole recording has
}

// A Signal goes to one of the processes.
type Signal struct {
	To     Target
	Signal syscall.Signal
}

// Target is a process.
type Target int

const (
	JVM      Target = iota
	Recorder        // nobody gets it where the program runs without Mallard
	Command         // what was started: mallard, or without it the JVM
)

// Promise is what a recording is to say.
type Promise int

const (
	Whole      Promise = iota // all that was counted, to the last frame
	UpToDeath                 // all that was counted, but for live frames, and that the JVM was killed
	Readable                  // what was written before the recorder died
	Unrecorded                // nothing: Mallard has said in a line why it stays out
)

var promised = map[Promise]string{
	Whole:      "everything",
	UpToDeath:  "everything up to the death, but for live frames; that the JVM was killed",
	Readable:   "what was written before; it can be read",
	Unrecorded: "nothing; one line on stderr says why",
}

// An Observing is a way to record.
type Observing struct {
	Name  string
	Flags []string
	Alone bool // by -agentpath, whose options Flags are
}

// A Kill of the recorder comes at a moment of the program's life.
type Kill struct {
	Number int
	At     float64 // share of the life that the program has when nobody is killed
}

// A Case is one cell of the matrix.
type Case struct {
	Group  string // of the table
	Ending *Ending
	Observing
	Collector string
	JDK       jvmtest.JDK
	JDKNumber int      // among those of the matrix
	Further   []string // options of the JVM
	Kill      *Kill    // of the recorder, at a moment of its own
}

// Name tells a case from all others, by words between slashes.
func (c *Case) Name() string {
	words := []string{c.Group, c.Ending.Name}
	if c.Collector != "" {
		words = append(words, c.Collector)
	}
	if c.Kill != nil {
		words = append(words, fmt.Sprint(c.Kill.Number))
	}
	return strings.Join(append(words, c.Observing.Name, c.JDK.String()), "/")
}

// options are those of the JVM.
func (c *Case) options() []string {
	options := slices.Concat(c.Ending.Options, c.Further)
	switch c.Collector {
	case "":
	case "Epsilon":
		options = append(options, "-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xmx256m")
	default:
		options = append(options, "-XX:+Use"+c.Collector+"GC")
	}
	return options
}

// runTimeout is how long a program may live. Most take a second; a busy machine is no reason to fail.
const runTimeout = 10 * time.Minute

// unknown is an exit code that only a process knew that was killed: the program had ended before.
const unknown = -1

// An Outcome is what became of a run.
type Outcome struct {
	Stdout, Stderr string
	Exit           int // of the JVM, where it outlived Mallard; 128+N if signal N killed it; or unknown
	Said           []string
	Hung           bool // it did not end by itself
	Took           time.Duration
}

// Again is the command that repeats the case.
func (c *Case) Again() string {
	kills := ""
	if c.Kill != nil {
		kills = fmt.Sprintf("-kills %d ", c.Kill.Number+1)
	}
	return fmt.Sprintf("go run ./tests/torture %s-run '^%s$'", kills, regexp.QuoteMeta(c.Name()))
}
