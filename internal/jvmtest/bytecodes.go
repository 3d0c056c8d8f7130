package jvmtest

import (
	"path/filepath"
	"strconv"
	"testing"
)

// ExecutedMethod is a method that the oracle of bytecodes saw.
type ExecutedMethod struct{ Class, Method, Descriptor string }

// RunBytecodes runs the command interpreted, with an agent that stops at every bytecode, and returns how many each
// method of the program's own classes executed, or gives the result of an earlier run, as RunPlain does. Those in the
// initialisers of classes are incomplete.
func RunBytecodes(tb testing.TB, jdk JDK, c Command) (Output, map[ExecutedMethod]int64) {
	tb.Helper()
	library, err := jdk.Agent(filepath.Join(MustRoot(tb), "testdata", "oracle", "bytecodes.c"))
	if err != nil {
		tb.Fatal(err)
	}
	// Pairs of bytecodes that the interpreter runs as one count as one.
	options := []string{"-Xint", "-XX:-RewriteFrequentPairs", "-XX:-RewriteBytecodes"}
	agent := &oracleAgent{library: library, options: options, format: "FOLDER/bytecodes", tables: []string{"bytecodes"}}
	output, folder := runKept(tb, jdk, "bytecodes", c, agent)
	executed := map[ExecutedMethod]int64{}
	err = readTable(filepath.Join(folder, "bytecodes"), func(field []string) error {
		if len(field) != 4 {
			return errColumns
		}
		n, err := strconv.ParseInt(field[3], 10, 64)
		executed[ExecutedMethod{field[0], field[1], field[2]}] += n
		return err
	})
	if err != nil {
		tb.Fatalf("%v; the program's exit code is %d and its stderr\n%s", err, output.ExitCode, output.Stderr)
	}
	return output, executed
}
