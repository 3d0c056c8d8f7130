// Package stacktest holds the contexts of a recording against the stacks that the oracle saw: an agent that asks the JVM for the stack at each allocation
// (package jvmtest, testdata/oracle). It is for tests only.
package stacktest

import (
	"fmt"
	"slices"
	"strings"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
)

// Options say what is compared.
type Options struct {
	// Takes says whether a stack counts: its frames that the JVM prints, innermost first, as jvmtest.Frame has them.
	Takes func(trace []string) bool

	// Allocates says whether a site is an allocation bytecode, of which alone the oracle knows what it makes. Nil: the oracle saw on its line that
	// bytecodes make the site's type, and that calls do not.
	Allocates func(*profile.Site) bool

	// Larger are classes whose objects have another size in the recording's run than in the oracle's.
	Larger []string
}

// Result is how far a recording is true.
type Result struct {
	Stacks      int      // that are the same: classes, methods, lines and order of all frames, the allocated class, objects and bytes
	Objects     int64    // made at these
	Differences []string // a stack each, with what the oracle has and what the recording has
	Unknown     int64    // objects that were made by methods which the recording counts without callers; these are not compared
}

// older are the first frames of threads that are older than the oracle, which misses their first objects.
var older = []string{"java.lang.ref.Finalizer$FinalizerThread.run:", "java.lang.ref.Reference$ReferenceHandler.run:", "jdk.internal.misc.InnocuousThread.run:"}

// deepest is how many printed frames a stack may have to be compared: reports do not tell more apart.
const deepest = 900

// Compare compares objects and bytes, stack by stack.
func Compare(seen *jvmtest.Stacks, p *profile.Profile, o Options) Result {
	t := table{options: o, ids: map[call]int{}, rows: map[row]*pair{}}
	bytecodes, unknown := bytecodesOf(seen), unknownOf(p)
	for stack, counts := range seen.Made {
		place := made{seen.Frames[stack.Frame].Text, stack.Class}
		if stack.Allocates() && !countedByCaller(place) && unknown[place] == 0 && (o.Allocates != nil || bytecodes[place]) {
			if pair := t.at(seen.Trace(stack), stack.Class); pair != nil {
				pair.oracle.Objects += counts.Objects
				pair.oracle.Bytes += counts.Bytes
			}
		}
	}
	for sample := range p.Samples(profile.Filter{}) {
		site := sample.Site
		frames := p.Stack(site, sample.Context)
		place := made{text(frames[0]), site.Type}
		if unknown[place] != 0 || o.Allocates != nil && !o.Allocates(site) || o.Allocates == nil && !bytecodes[place] {
			continue
		}
		trace := make([]string, len(frames))
		for i, f := range frames {
			trace[i] = text(f)
		}
		if pair := t.at(trace, site.Type); pair != nil {
			pair.recording.Objects += sample.Amount.Objects
			pair.recording.Bytes += sample.Amount.Bytes
		}
	}
	r := t.result()
	for _, objects := range unknown {
		r.Unknown += objects
	}
	return r
}

// text writes a frame as the oracle does.
func text(f profile.Frame) string {
	line := int(f.Line)
	if f.Native {
		line = -2
	}
	return fmt.Sprintf("%s:%d", f.Title(), line)
}

// made is a class at an innermost frame.
type made struct{ frame, class string }

// unknownOf finds what has no known callers, and how many objects that are.
func unknownOf(p *profile.Profile) map[made]int64 {
	unknown := map[made]int64{}
	for sample := range p.Samples(profile.Filter{}) {
		frames := p.Stack(sample.Site, sample.Context)
		if frames[len(frames)-1].Class == "" && sample.Amount.Objects != 0 {
			unknown[made{text(frames[0]), sample.Site.Type}] += sample.Amount.Objects
		}
	}
	return unknown
}

// countedByCaller tells what a method of the JDK makes with a bytecode that a recording has at the call of the method: compiled code often does not run it.
func countedByCaller(m made) bool {
	method, _, _ := strings.Cut(m.frame, ":")
	switch method {
	case "java.util.Arrays.copyOf", "java.util.Arrays.copyOfRange":
		return m.class == "java.lang.Object[]"
	case "jdk.internal.misc.Unsafe.allocateUninitializedArray0":
		return true
	}
	return strings.HasPrefix(method, "jdk.internal.reflect.Generated") && strings.HasSuffix(method, ".newInstance") && !strings.HasSuffix(m.class, "Exception")
}

// printed tells whether a frame counts: the JVM prints it, and it is the program's.
func printed(frame string) bool {
	return jvmtest.Printed(frame) && !strings.HasPrefix(frame, "java.lang.$Mallard")
}

// bytecodesOf tells where bytecodes make a class, and calls on the same line do not: what the class's objects are counted by is not known there.
func bytecodesOf(seen *jvmtest.Stacks) map[made]bool {
	bytecodes, called := map[made]bool{}, map[made]bool{}
	for stack := range seen.Made {
		frame := seen.Frames[stack.Frame]
		if stack.Allocates() {
			bytecodes[made{frame.Text, stack.Class}] = true
			continue
		}
		called[made{frame.Text, stack.Class}] = true // compiled code may make what a method is to make that it calls
		if caller := frame.Caller; caller >= 0 && strings.HasPrefix(frame.Text, "java.") {
			called[made{seen.Frames[caller].Text, stack.Class}] = true
		}
	}
	for place := range called {
		delete(bytecodes, place)
	}
	return bytecodes
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

// at gives the row of a stack; nil if it is not to be compared.
func (t *table) at(trace []string, class string) *pair {
	if len(trace) == 0 || !printed(trace[0]) {
		return nil
	}
	trace = slices.DeleteFunc(trace, func(frame string) bool { return !printed(frame) })
	if len(trace) > deepest || slices.ContainsFunc(older, func(method string) bool { return strings.HasPrefix(trace[len(trace)-1], method) }) || !t.options.Takes(trace) {
		return nil
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
	return t.rows[key]
}

func (t *table) result() Result {
	var r Result
	for key, pair := range t.rows {
		if slices.Contains(t.options.Larger, key.class) {
			pair.oracle.Bytes, pair.recording.Bytes = 0, 0
		}
		if pair.oracle == pair.recording {
			if pair.oracle.Objects != 0 {
				r.Stacks++
				r.Objects += pair.oracle.Objects
			}
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s: the oracle has %d objects of %d bytes, the recording %d of %d", key.class, pair.oracle.Objects, pair.oracle.Bytes,
			pair.recording.Objects, pair.recording.Bytes)
		for id := key.innermost; id != 0; id = t.calls[id-1].caller {
			b.WriteString("\n\t" + t.calls[id-1].frame)
		}
		r.Differences = append(r.Differences, b.String())
	}
	slices.Sort(r.Differences)
	return r
}
