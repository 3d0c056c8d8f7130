package jvmtest

import (
	"path/filepath"
	"strconv"
	"testing"
)

// StepMethod is a method that the oracle of bytecodes saw.
type StepMethod struct{ Class, Method, Descriptor string }

// RunSteps runs the command interpreted, with an agent that stops at every bytecode, and returns how many each method
// of the program's own classes executed, or gives the result of an earlier run, as RunPlain does. Steps in the
// initialisers of classes are incomplete.
func RunSteps(tb testing.TB, jdk JDK, c Command) (Output, map[StepMethod]int64) {
	tb.Helper()
	library, err := jdk.Agent(filepath.Join(MustRoot(tb), "testdata", "oracle", "steps.c"))
	if err != nil {
		tb.Fatal(err)
	}
	// Pairs of bytecodes that the interpreter runs as one are one step.
	options := []string{"-Xint", "-XX:-RewriteFrequentPairs", "-XX:-RewriteBytecodes"}
	agent := &oracleAgent{library: library, options: options, format: "FOLDER/steps", tables: []string{"steps"}}
	output, folder := runKept(tb, jdk, "steps", c, agent)
	steps := map[StepMethod]int64{}
	err = readTable(filepath.Join(folder, "steps"), func(field []string) error {
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
