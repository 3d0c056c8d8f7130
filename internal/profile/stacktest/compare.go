// Package stacktest holds the contexts of a recording against the stacks that the oracle saw: an agent that asks the
// JVM for the stack at each allocation (package jvmtest, testdata/oracle). It is for tests only.
package stacktest

import (
	"fmt"
	"slices"
	"strings"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// Options say what is compared.
type Options struct {
	// Takes says whether a stack counts: its frames that the JVM prints, innermost first, as jvmtest.Frame has them.
	Takes func(trace []string) bool

	// Allocates says whether a site is an allocation bytecode, of which alone the oracle knows what it makes. Nil: the
	// oracle saw on its line that bytecodes make the site's type, and that calls do not.
	Allocates func(*profile.Site) bool

	// Made says whether objects of a stack that the oracle saw are what the sites make that Allocates takes. Nil: those
	// of allocation bytecodes.
	Made func(jvmtest.Stack) bool

	// Keeps says which frames a recording has; nil: all that the JVM prints.
	Keeps func(frame string) bool

	// Larger are classes whose objects have another size in the recording's run than in the oracle's.
	Larger []string
}

// Result is how far a recording is true.
type Result struct {
	// that are the same: classes, methods, lines and order of all frames, the allocated class, objects and bytes
	Stacks           int
	Objects          int64            // made at these
	Differences      []string         // a stack each, with what the oracle has and what the recording has
	Different        int              // stacks that are not
	DifferentObjects int64            // that the oracle has at these
	Left             map[Reason]int64 // objects that are not compared, as the oracle counts them
}

// Reason says why objects are not compared.
type Reason string

const (
	byCall    Reason = "were made by native code or the VM, which a recording counts at the call"
	mixed     Reason = "were made on lines where calls make their class as well"
	elsewhere Reason = "were made by code of the JDK that a recording counts at its call"
	Unknown   Reason = "have no known callers in the recording"
	carrying  Reason = "were made by what virtual threads stand on, which has no contexts"
	unshown   Reason = "were made in frames that stack traces do not have"
	deep      Reason = "were made deeper than reports go"
	tooOld    Reason = "were made by threads older than the oracle"
	hidden    Reason = "were made in frames of hidden classes, by whatever threads"
)

// older are the first frames of threads that are older than the oracle, which misses their first objects.
var older = []string{"java.lang.ref.Finalizer$FinalizerThread.run:", "java.lang.ref.Reference$ReferenceHandler.run:",
	"jdk.internal.misc.InnocuousThread.run:"}

// deepest is how many printed frames a stack may have to be compared: reports do not tell more apart.
const deepest = 900

// Compare compares objects and bytes, stack by stack.
func Compare(seen *jvmtest.Stacks, p *profile.Profile, o Options) Result {
	t := table{options: o, ids: map[call]int{}, rows: map[row]*pair{}}
	bytecodes, unknown := bytecodesOf(seen), unknownOf(p)
	if o.Made == nil {
		o.Made = seen.Allocates
	}
	left := map[Reason]int64{hidden: seen.Hidden}
	for stack, counts := range seen.Made {
		trace := seen.Trace(stack)
		pair, reason := t.at(trace, stack.Class)
		if pair == nil && reason == "" {
			continue
		}
		switch key := (made{trace[0], stack.Class}); {
		case !o.Made(stack):
			reason = byCall
		case countedByCaller(key):
			reason = elsewhere
		case unknown[key] && strings.HasPrefix(key.frame, "java.lang.VirtualThread"):
			reason = carrying
		case unknown[key]:
			reason = Unknown
		case o.Allocates == nil && !bytecodes[key]:
			reason = mixed
		}
		if reason != "" {
			left[reason] += counts.Objects
			continue
		}
		pair.oracle.Objects += counts.Objects
		pair.oracle.Bytes += counts.Bytes
	}
	for sample := range p.Samples(profile.Filter{}) {
		site := sample.Site
		frames := p.Stack(site, sample.Context)
		key := made{text(frames[0]), site.Type}
		if unknown[key] || o.Allocates != nil && !o.Allocates(site) || o.Allocates == nil && !bytecodes[key] {
			continue
		}
		trace := make([]string, len(frames))
		for i, f := range frames {
			trace[i] = text(f)
		}
		if pair, _ := t.at(trace, site.Type); pair != nil {
			pair.recording.Objects += sample.Amount.Objects
			pair.recording.Bytes += sample.Amount.Bytes
		}
	}
	r := t.result()
	r.Left = left
	return r
}

// text writes a frame as the oracle does.
func text(f symbols.Frame) string {
	line := int(f.Line)
	if f.Native {
		line = -2
	}
	return fmt.Sprintf("%s:%d", f.Title(), line)
}

// made is a class at an innermost frame.
type made struct{ frame, class string }

// unknownOf finds what has no known callers.
func unknownOf(p *profile.Profile) map[made]bool {
	unknown := map[made]bool{}
	for sample := range p.Samples(profile.Filter{}) {
		frames := p.Stack(sample.Site, sample.Context)
		if frames[len(frames)-1].Class == "" && sample.Amount.Objects != 0 {
			unknown[made{text(frames[0]), sample.Site.Type}] = true
		}
	}
	return unknown
}

// countedByCaller tells what a method of the JDK makes with a bytecode that a recording has at the call of the method:
// compiled code often does not run it.
func countedByCaller(m made) bool {
	method, _, _ := strings.Cut(m.frame, ":")
	switch method {
	case "java.util.Arrays.copyOf", "java.util.Arrays.copyOfRange":
		return m.class == "java.lang.Object[]"
	case "jdk.internal.misc.Unsafe.allocateUninitializedArray0":
		return true
	}
	return strings.HasPrefix(method, "jdk.internal.reflect.Generated") && strings.HasSuffix(method, ".newInstance") &&
		!strings.HasSuffix(m.class, "Exception")
}

// printed tells whether a frame counts: the JVM prints it, and it is the program's.
func printed(frame string) bool {
	return jvmtest.Printed(frame) && !strings.HasPrefix(frame, "java.lang.$Mallard")
}

// bytecodesOf tells where bytecodes make a class, and calls on the same line do not: what the class's objects are
// counted by is not known there.
func bytecodesOf(seen *jvmtest.Stacks) map[made]bool {
	bytecodes, called := map[made]bool{}, map[made]bool{}
	for stack := range seen.Made {
		frame := seen.Frames[stack.Frame]
		if seen.Allocates(stack) {
			bytecodes[made{frame.Text, stack.Class}] = true
			continue
		}
		called[made{frame.Text, stack.Class}] = true // compiled code may make what a method is to make that it calls
		for calls := strings.HasPrefix(frame.Text, "java."); calls &&
			frame.Caller >= 0; calls = makesArrays(frame.Text) {
			frame = seen.Frames[frame.Caller]
			called[made{frame.Text, stack.Class}] = true
		}
	}
	for key := range called {
		delete(bytecodes, key)
	}
	return bytecodes
}

// makesArrays tells methods that call one another, down to a native one, to make an array.
func makesArrays(frame string) bool {
	return strings.HasPrefix(frame, "java.util.Arrays.copyOf") ||
		strings.HasPrefix(frame, "java.lang.reflect.Array.newInstance:")
}

// table has what either side knows of each stack.
type table struct {
	options Options
	calls   []call // by id less 1
	ids     map[call]int
	rows    map[row]*pair
}

// call is a frame of a stack; its caller is an id, 0 for a thread's first.
type call struct {
	caller int
	frame  string
}

type row struct {
	innermost int // id
	class     string
}

type pair struct{ oracle, recording jvmtest.Counts }

// at gives the row of a stack; nil if it is not to be compared, with a reason if it would count.
func (t *table) at(trace []string, class string) (*pair, Reason) {
	innermost := len(trace) > 0 && printed(trace[0])
	trace = slices.DeleteFunc(slices.Clone(trace), func(frame string) bool {
		return !printed(frame) || t.options.Keeps != nil && !t.options.Keeps(frame)
	})
	switch {
	case len(trace) == 0 || !t.options.Takes(trace):
		return nil, ""
	case !innermost:
		return nil, unshown
	case len(trace) > deepest:
		return nil, deep
	case slices.ContainsFunc(older, func(method string) bool { return strings.HasPrefix(trace[len(trace)-1], method) }):
		return nil, tooOld
	}
	id := 0
	for _, frame := range slices.Backward(trace) {
		c := call{id, frame}
		id = t.ids[c]
		if id == 0 {
			t.calls = append(t.calls, c)
			id = len(t.calls)
			t.ids[c] = id
		}
	}
	key := row{id, class}
	if t.rows[key] == nil {
		t.rows[key] = &pair{}
	}
	return t.rows[key], ""
}

// result sums up. Stacks that differ are shown together where they part from what the other side has.
func (t *table) result() Result {
	var r Result
	oracle, recording := make([]bool, len(t.calls)+1), make([]bool, len(t.calls)+1) // has a stack with a frame, by id
	for key, pair := range t.rows {
		if slices.Contains(t.options.Larger, key.class) {
			pair.oracle.Bytes, pair.recording.Bytes = 0, 0
		}
		for id := key.innermost; id != 0; id = t.calls[id-1].caller {
			oracle[id] = oracle[id] || pair.oracle.Objects != 0
			recording[id] = recording[id] || pair.recording.Objects != 0
		}
	}
	forks := map[int]*fork{}
	for key, pair := range t.rows {
		if pair.oracle == pair.recording {
			if pair.oracle.Objects != 0 {
				r.Stacks++
				r.Objects += pair.oracle.Objects
			}
			continue
		}
		r.Different++
		r.DifferentObjects += pair.oracle.Objects
		at := key.innermost
		for id := key.innermost; id != 0; id = t.calls[id-1].caller {
			if oracle[id] != recording[id] {
				at = id
			}
		}
		if forks[at] == nil {
			forks[at] = &fork{row: key}
		}
		forks[at].add(key, *pair)
	}
	for at, f := range forks {
		r.Differences = append(r.Differences, f.text(t, at))
	}
	slices.Sort(r.Differences)
	return r
}

// fork is a frame from which on stacks differ.
type fork struct {
	pair
	row    row // of one of them
	stacks int
}

func (f *fork) add(key row, p pair) {
	f.stacks++
	f.oracle.Objects += p.oracle.Objects
	f.oracle.Bytes += p.oracle.Bytes
	f.recording.Objects += p.recording.Objects
	f.recording.Bytes += p.recording.Bytes
	if key.class < f.row.class {
		f.row = key
	}
}

// text says what differs, and has the stack of one of them, a mark at the frame.
func (f *fork) text(t *table, at int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d stacks: the oracle has %d objects of %d bytes, the recording %d of %d; one is of %s", f.stacks,
		f.oracle.Objects, f.oracle.Bytes,
		f.recording.Objects, f.recording.Bytes, f.row.class)
	for id := f.row.innermost; id != 0; id = t.calls[id-1].caller {
		b.WriteString("\n\t" + t.calls[id-1].frame)
		if id == at {
			b.WriteString("   <- from here")
		}
	}
	return b.String()
}

// ClassOf gives the class of a frame.
func ClassOf(frame string) string {
	method, _, _ := strings.Cut(frame, ":")
	return method[:max(0, strings.LastIndex(method, "."))]
}
