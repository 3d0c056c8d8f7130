package stacktest

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
)

// asWritten keeps compilers from removing allocations that the bytecode makes. Without escape analysis C2 still leaves
// out an object that nobody uses, unless the runtime has to make it (expand_allocate_common in HotSpot's macro.cpp):
// without allocation buffers it has to make all.
var asWritten = []string{"-XX:-DoEscapeAnalysis", "-XX:-OptimizeStringConcat", "-XX:-EliminateAutoBox", "-XX:-UseTLAB"}

// Run runs a command, compiled, with the oracle looking at each allocation and mallard recording contexts in the same
// JVM. So nothing has to be the same in two runs: whatever threads do, what either has counted is the same run's.
// Everything that passes takes and was made by an allocation bytecode is compared, the JDK's allocations included. How
// the program ends is the caller's affair.
func Run(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, flags []string,
	takes func(trace []string) bool) (jvmtest.Output, Result) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.mallard")
	binary := filepath.Join(jvmtest.MustRoot(t), "bin", "mallard")
	command.Wrap = slices.Concat([]string{binary, "run", "-q", "--track", "contexts", "-o", file}, flags,
		[]string{"--"})
	command.Options = append(slices.Clone(command.Options), asWritten...)
	output, seen := jvmtest.RunStacks(t, jdk, command)
	p, err := profile.Read(file)
	if err != nil {
		t.Fatalf("%v; exit code %d\n%s", err, output.ExitCode, output.Stderr)
	}
	if !p.Complete {
		t.Errorf("not complete: %s", p.Reason)
	}
	CheckCallers(t, p)
	if jdk.Feature < asThemselves {
		takes = notAsCarrier(takes)
	}
	r := Compare(&seen, p, Options{Takes: takes})
	t.Logf("%d stacks are as the JVM says, at which %d objects were made; %d are not, with %d objects; %.0f s of "+
		"processor time", r.Stacks, r.Objects, r.Different, r.DifferentObjects,
		output.CPU.Seconds())
	for _, reason := range slices.Sorted(maps.Keys(r.Left)) {
		if r.Left[reason] != 0 {
			t.Logf("not compared: %d objects that %s", r.Left[reason], reason)
		}
	}
	for _, d := range r.Differences[:min(len(r.Differences), mostShown)] {
		t.Error(d)
	}
	if unknown := r.Left[Unknown]; unknown > mostUnknown*(r.Objects+unknown)/100 {
		t.Errorf("the callers of what made %d objects are unknown", unknown)
	}
	return output, r
}

// asThemselves is the JDK from which on virtual threads hand over others themselves.
const asThemselves = 24

// asCarrier are frames below which a virtual thread's carrier runs in its place, whose stack the JVM tells then, where
// the recording has the virtual thread's; and those that the initialiser of what virtual threads stand on calls, which
// has no contexts.
var asCarrier = []string{"java.lang.VirtualThread.submitRunContinuation:", "java.lang.VirtualThread.scheduleUnpark:",
	"jdk.internal.vm.Continuation$Pinned."}

func notAsCarrier(takes func(trace []string) bool) func(trace []string) bool {
	return func(trace []string) bool {
		return takes(trace) && !slices.ContainsFunc(trace, func(frame string) bool {
			return slices.ContainsFunc(asCarrier, func(prefix string) bool { return strings.HasPrefix(frame, prefix) })
		})
	}
}

// mostUnknown is how many objects, in percent, may be made by methods that have no contexts: those that would be too
// long with them, and some of the JDK's.
const mostUnknown = 2

// mostShown is how many differences a test prints.
const mostShown = 20
