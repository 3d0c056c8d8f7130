package jvmtest

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// StepMethod is a method that the oracle of bytecodes saw.
type StepMethod struct{ Class, Method, Descriptor string }

// RunSteps runs the command interpreted, with an agent that stops at every bytecode, and returns how many each method of the program's own classes executed.
// Steps in the initialisers of classes are incomplete.
func RunSteps(tb testing.TB, jdk JDK, c Command) (Output, map[StepMethod]int64) {
	tb.Helper()
	library, err := jdk.Agent(filepath.Join(MustRoot(tb), "testdata", "oracle", "steps.c"))
	if err != nil {
		tb.Fatal(err)
	}
	table := filepath.Join(tb.TempDir(), "steps")
	// Pairs of bytecodes that the interpreter runs as one are one step.
	c.Options = append(slices.Clone(c.Options), "-Xint", "-XX:-RewriteFrequentPairs", "-XX:-RewriteBytecodes", "-agentpath:"+library+"="+table)
	output := jdk.MustRun(tb, c)
	steps := map[StepMethod]int64{}
	err = readTable(table, func(field []string) error {
		if len(field) != 4 {
			return errColumns
		}
		n, err := strconv.ParseInt(field[3], 10, 64)
		steps[StepMethod{field[0], field[1], field[2]}] += n
		return err
	})
	if err != nil {
		tb.Fatalf("%v; the program's exit code is %d and its stderr\n%s", err, output.ExitCode, output.Stderr)
	}
	return output, steps
}
