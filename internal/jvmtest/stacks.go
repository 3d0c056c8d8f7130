package jvmtest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Stacks is what the oracle saw being made, by stack: by all code, or by the program's own.
type Stacks struct {
	Frames []Frame // a caller before what it calls
	Made   map[Stack]Counts
	Hidden int64 // objects that were made in frames of hidden classes, which are not in Made
}

// Frame is a method's invocation at a place, with all its callers. The oracle leaves frames of hidden classes out.
type Frame struct {
	Caller int    // index in Stacks.Frames; -1 of a thread's first frame
	Text   string // Main.main:7; the line is -1 unknown, -2 of a native method
}

// Stack is where objects of a class were made. Places at several bytecodes of one line are several stacks.
type Stack struct {
	Class       string // of the objects, as Java writes it
	Instruction string // as in Site
	Frame       int    // the innermost: index in Stacks.Frames
}

// Allocates is [Site.Allocates] for a stack. An int[0] at a multianewarray may be the lock that a class has while it is
// initialised, which was loaded there: the instruction makes arrays of int[] as well.
func (s *Stacks) Allocates(stack Stack) bool {
	if !(Site{Class: stack.Class, Instruction: stack.Instruction}).Allocates() {
		return false
	}
	if stack.Class != "int[]" || stack.Instruction != "multianewarray" {
		return true
	}
	stack.Class = "int[][]"
	_, made := s.Made[stack]
	return made
}

// Thrown is [Site.Thrown].
func (s Stack) Thrown() bool { return Site{Class: s.Class, Instruction: s.Instruction}.Thrown() }

// unprinted are methods whose frames JVMTI shows and stack traces do not, all or some of them.
var unprinted = []string{"java.lang.invoke.", "java.lang.Thread.runWith:", "jdk.internal.vm.Continuation.enter",
	"java.lang.VirtualThread$VThreadContinuation$",
	"java.security.AccessController.executePrivileged:", "java.security.AccessController.wrapException:",
	"java.lang.ScopedValue$Carrier.runWith:", "jdk.internal.reflect.DirectMethodHandleAccessor.invokeImpl:",
	"jdk.internal.reflect.DirectConstructorHandleAccessor.invokeImpl:",
	"jdk.internal.reflect.CsMethodAccessorAdapter.invoke:"}

// Printed tells whether a frame's text certainly stands in the stack traces of the JVM.
func Printed(frame string) bool {
	return !slices.ContainsFunc(unprinted, func(prefix string) bool { return strings.HasPrefix(frame, prefix) })
}

// RunStacks runs the command as it is, compiled unless it says otherwise, with the oracle agent looking at all stacks.
func RunStacks(tb testing.TB, jdk JDK, c Command) (Output, Stacks) {
	tb.Helper()
	folder := tb.TempDir()
	c.Options = append(slices.Clone(c.Options), newOracle(tb, jdk, "allstacks").option(folder))
	output := jdk.MustRun(tb, c)
	var stacks Stacks
	if err := stacks.read(filepath.Join(folder, "allstacks")); err != nil {
		tb.Fatalf("%v; the program's exit code is %d and its stderr\n%s", err, output.ExitCode, output.Stderr)
	}
	return output, stacks
}

// read reads the table of that name.
func (s *Stacks) read(path string) error {
	s.Made = map[Stack]Counts{}
	return readTable(path, func(field []string) error {
		if len(field) < 3 {
			return errColumns
		}
		number, err := strconv.Atoi(field[1])
		if err != nil {
			return err
		}
		if field[0] == "hidden" && len(field) == 3 {
			counts, err := parseCounts(field[1:])
			s.Hidden = counts.Objects
			return err
		}
		if number > len(s.Frames) {
			return fmt.Errorf("there is no frame %d before it", number)
		}
		switch {
		case field[0] == "frame" && len(field) == 3:
			s.Frames = append(s.Frames, Frame{Caller: number - 1, Text: field[2]})
			return nil
		case field[0] == "stack" && len(field) == 6:
			stack := Stack{Class: JavaType(field[2]), Instruction: field[3], Frame: number - 1}
			counts, err := parseCounts(field[4:])
			s.Made[stack] = s.Made[stack].Plus(counts) // two loaders may have a class of one name
			return err
		}
		return errColumns
	})
}

// Trace lists the frames of a stack, innermost first.
func (s *Stacks) Trace(stack Stack) []string {
	var trace []string
	for i := stack.Frame; i >= 0; i = s.Frames[i].Caller {
		trace = append(trace, s.Frames[i].Text)
	}
	return trace
}
