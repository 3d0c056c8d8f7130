package truth_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestBytecodesAreTrue compares the bytecodes that each method of the test programs executes with those that the
// interpreter stops at, in another run under JVMTI's SingleStep. Steps are hidden while linking runs the initialiser of
// a class, so what initialisers run may be more than what the oracle saw.
func TestBytecodesAreTrue(t *testing.T) {
	mallardtest.EachProgram(t, func(t *testing.T, jdk jvmtest.JDK, program jvmtest.Program, command jvmtest.Command,
		plain jvmtest.Output) {
		counted := map[string]map[jvmtest.StepMethod]int64{}
		hidden := map[jvmtest.StepMethod]int64{}
		// both count them
		for track, flags := range map[string][]string{"sites": {"--snapshots", "100000bc"},
			"contexts": {"--bytecodes"}} {
			output, p := mallardtest.Record(t, jdk, command, append(flags, "--track", track)...)
			mallardtest.CompareOutput(t, plain, output)
			counted[track] = executed(program, p, profile.Filter{})
			if track == "contexts" {
				hidden = executed(program, p, profile.Filter{Under: "*.<clinit>"})
			}
		}
		if !program.Deterministic || program.Killed() {
			return
		}
		_, all := jvmtest.RunSteps(t, jdk, command)
		want := map[jvmtest.StepMethod]int64{}
		for m, n := range all {
			if program.Declares(m.Class) && !spins(m) {
				want[m] = n
			}
		}
		for track, got := range counted {
			expected := maps.Clone(want)
			for m, n := range hidden {
				if got[m] >= expected[m] && got[m] <= expected[m]+n {
					expected[m] = got[m]
				}
			}
			if diff := cmp.Diff(expected, got); diff != "" {
				t.Errorf("%s: bytecodes (-oracle +mallard):\n%s", track, diff)
			}
		}
	})
}

// executed gives the bytecodes that the methods of a program executed.
func executed(program jvmtest.Program, p *profile.Profile, filter profile.Filter) map[jvmtest.StepMethod]int64 {
	methods := map[jvmtest.StepMethod]int64{}
	for _, row := range p.Rows(profile.Query{By: profile.ByMethod, Filter: filter}).Rows {
		if m := (jvmtest.StepMethod{Class: row.Site.Class, Method: row.Site.Method,
			Descriptor: row.Site.Descriptor}); program.Declares(m.Class) && !spins(m) && row.Amount.Bytecodes != 0 {
			methods[m] += row.Amount.Bytecodes
		}
	}
	return methods
}

// spins tells the methods that loop until something has happened in another thread, or are on their way to where they
// wait when the program ends, or that the VM calls once more for each runtime class.
func spins(m jvmtest.StepMethod) bool {
	switch m.Class {
	case "DaemonAtExit", "Deadlock", "VirtualThreadsAtExit":
		return m.Method == "main" || m.Method == "spin"
	case "Loading$Own":
		return m.Method == "loadClass"
	case "Replaced$Waiting":
		return m.Method == "run"
	}
	return false
}
