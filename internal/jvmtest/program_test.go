package jvmtest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// TestPrograms runs each test program on each JDK, plain in a JVM of its own, and under the oracle, with others in a
// JVM if it can, and holds both against what its source says. It validates the oracle and the annotations against each
// other, without the product. The long version runs each under the oracle in a JVM of its own as well.
func TestPrograms(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		_, together := jvmtest.Together(t, jdk)
		ofAll := jvmtest.RunOracle(t, jdk, together)
		outputs := jvmtest.Divide(ofAll.Output)
		for _, program := range jvmtest.Programs(t) {
			t.Run(program.Name, func(t *testing.T) {
				command := program.Command(t, jdk)
				plain := jvmtest.RunPlain(t, jdk, command)
				if plain.ExitCode != program.Exit {
					t.Errorf("exit code %d, want %d; stderr:\n%s", plain.ExitCode, program.Exit, plain.Stderr)
				}
				if !strings.Contains(plain.Stdout, "checksum ") {
					t.Errorf("the program printed no checksum: %q", plain.Stdout)
				}
				if program.Shares() {
					truth := ofAll
					truth.Output = outputs[program.Name]
					compareTruth(t, program, plain, truth)
				}
				if !program.Killed() && (!program.Shares() || jvmtest.Long()) { // killed, the oracle cannot write
					compareTruth(t, program, plain, jvmtest.RunOracle(t, jdk, command))
				}
			})
		}
	})
}

// compareTruth holds what the oracle says of a program against what it does by itself, and against its source.
func compareTruth(t *testing.T, program jvmtest.Program, plain jvmtest.Output, truth jvmtest.OracleResult) {
	t.Helper()
	if truth.Output.Stdout != plain.Stdout || truth.Output.ExitCode != plain.ExitCode {
		t.Errorf("under the oracle the program exits with %d and prints %q", truth.Output.ExitCode, truth.Output.Stdout)
	}
	if program.Deterministic {
		compareLines(t, program, truth)
		compareClasses(t, program, truth)
	}
}

// compareLines compares each line's allocation bytecodes with its annotation, both ways.
func compareLines(t *testing.T, program jvmtest.Program, truth jvmtest.OracleResult) {
	t.Helper()
	want := map[string]int64{}
	for _, expected := range program.Expected {
		if expected.Unseen {
			continue
		}
		want[fmt.Sprintf("line %d: %s", expected.Line, expected.Class)] += expected.Objects
	}
	got := map[string]int64{}
	for site, counts := range truth.Sites {
		if program.Declares(site.Declaring) && site.Called == "" && site.Allocates() {
			got[fmt.Sprintf("line %d: %s", site.Line, site.Class)] += counts.Objects
		}
	}
	compare(t, got, want)
}

// compareClasses compares the classes that are the program's own, however their objects come into being.
func compareClasses(t *testing.T, program jvmtest.Program, truth jvmtest.OracleResult) {
	t.Helper()
	got := map[string]int64{}
	for class, counts := range truth.Classes {
		if program.Declares(class) {
			got[class] = counts.Objects
		}
	}
	want := program.ObjectsByClass(true)
	maps.DeleteFunc(want, func(class string, _ int64) bool { return !program.Declares(class) })
	compare(t, got, want)
}

func compare(t *testing.T, got, want map[string]int64) {
	t.Helper()
	keys := slices.Collect(maps.Keys(want))
	for key := range got {
		if _, ok := want[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		if got[key] != want[key] {
			t.Errorf("%s: the oracle counted %d, the source says %d", key, got[key], want[key])
		}
	}
}
