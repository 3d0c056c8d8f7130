package truth_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestBytecodesAreTrue compares the bytecodes that each method of the test programs executes with those that the
// interpreter stops at, in another run under JVMTI's SingleStep. Bytecodes are hidden while linking runs the
// initialiser of a class, so what initialisers run may be more than what the oracle saw.
func TestBytecodesAreTrue(t *testing.T) {
	turn, sizes := mallardtest.TurnOfBytecodes, []int{2}
	mallardtest.EachGroup(t, turn, sizes, func(t *testing.T, g *mallardtest.Group, rows [][]int) {
		counted := map[string]*profile.Profile{}
		record := func(track string, flags ...string) {
			g.RecordAsPlain(t, append(flags, "--track", track), nil,
				func(_ *testing.T, p *profile.Profile) { counted[track] = p })
		}
		// both count them
		record("contexts", "--bytecodes")
		if !g.Apart && slices.ContainsFunc(rows, func(row []int) bool { return row[0] == 1 }) || jvmtest.Long() {
			record("sites", "--snapshots", "100000bc")
		}
		all := g.Bytecodes(t)
		if all == nil || counted["contexts"] == nil {
			return
		}
		for _, program := range g.Programs {
			want := map[jvmtest.ExecutedMethod]int64{}
			for m, n := range all {
				if program.Declares(m.Class) && !spins(m) {
					want[m] = n
				}
			}
			hidden := executed(program, counted["contexts"], profile.Filter{Under: "*.<clinit>"})
			for track, p := range counted {
				got, expected := executed(program, p, profile.Filter{}), maps.Clone(want)
				for m, n := range hidden {
					if got[m] >= expected[m] && got[m] <= expected[m]+n {
						expected[m] = got[m]
					}
				}
				if diff := cmp.Diff(expected, got); diff != "" {
					t.Errorf("%s of %s: bytecodes (-oracle +mallard):\n%s", track, program.Name, diff)
				}
			}
		}
	})
}

// executed gives the bytecodes that the methods of a program executed.
func executed(program jvmtest.Program, p *profile.Profile, filter profile.Filter) map[jvmtest.ExecutedMethod]int64 {
	methods := map[jvmtest.ExecutedMethod]int64{}
	for _, row := range p.Rows(profile.Query{By: profile.ByMethod, Filter: filter}).Rows {
		if m := (jvmtest.ExecutedMethod{Class: row.Site.Class, Method: row.Site.Method,
			Descriptor: row.Site.Descriptor}); program.Declares(m.Class) && !spins(m) && row.Amount.Bytecodes != 0 {
			methods[m] += row.Amount.Bytecodes
		}
	}
	return methods
}

// spins tells the methods that loop until something has happened in another thread, or are on their way to where they
// wait when the program ends, or that the VM calls once more for each runtime class.
func spins(m jvmtest.ExecutedMethod) bool {
	switch m.Class {
	case "DaemonAtExit", "Deadlock", "VirtualThreadsAtExit":
		return m.Method == "main" || m.Method == "spin"
	case "Loading$Own":
		return m.Method == "loadClass"
	case "Replaced$Waiting":
		return m.Method == "run"
	case "Finalized$Direct", "Finalized$Derived": // if there is a collection
		return m.Method == "finalize"
	}
	return false
}
