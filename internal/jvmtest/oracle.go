package jvmtest

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// OracleResult is a program's allocations from before main runs to the JVM's end.
type OracleResult struct {
	Output  Output
	Classes map[string]Counts // by class as Java writes it: java.lang.String, Outer$Inner, int[][]
	// by place; objects made with no Java frame on the stack have none, and those with Called stand at their innermost
	// frame as well
	Sites  map[Site]Counts
	Stacks Stacks // of what the program's own code makes
}

// RunOracle runs the command interpreted (-Xint, where each allocation happens at its bytecode) with the oracle agent,
// or gives the result of an earlier run, as RunPlain does. A run that leaves no table, because the JVM was killed or
// crashed, fails the test.
func RunOracle(tb testing.TB, jdk JDK, c Command) OracleResult {
	tb.Helper()
	agent := newOracle(tb, jdk, "classes", "sites", "stacks")
	agent.options = []string{"-Xint"}
	output, folder := runKept(tb, jdk, "oracle", c, agent)
	result := OracleResult{Output: output, Classes: map[string]Counts{}}
	classes, sites := filepath.Join(folder, "classes"), filepath.Join(folder, "sites")
	stacks := filepath.Join(folder, "stacks")

	err := readTable(classes, func(field []string) error {
		if len(field) != 3 {
			return errColumns
		}
		counts, err := parseCounts(field[1:])
		// Two loaders may have a class of one name.
		result.Classes[JavaType(field[0])] = result.Classes[JavaType(field[0])].Plus(counts)
		return err
	})
	if err == nil {
		result.Sites, err = readSites(sites)
	}
	if err == nil {
		err = result.Stacks.read(stacks)
	}
	if err != nil {
		tb.Fatalf("%v; the program's exit code is %d and its stderr\n%s", err, result.Output.ExitCode,
			result.Output.Stderr)
	}
	return result
}

// RunSites runs the command as it is, compiled unless it says otherwise, with the oracle agent looking at what threads
// make that start after the VM's initialisation, of which it misses nothing.
func RunSites(tb testing.TB, jdk JDK, c Command) (Output, map[Site]Counts) {
	tb.Helper()
	folder := tb.TempDir()
	c.Options = append(slices.Clone(c.Options), newOracle(tb, jdk, "newsites").option(folder))
	output := jdk.MustRun(tb, c)
	sites, err := readSites(filepath.Join(folder, "newsites"))
	if err != nil {
		tb.Fatalf("%v; the program's exit code is %d and its stderr\n%s", err, output.ExitCode, output.Stderr)
	}
	return output, sites
}

// readSites reads a table of sites.
func readSites(path string) (map[Site]Counts, error) {
	sites := map[Site]Counts{}
	err := readTable(path, func(field []string) error {
		if len(field) != 12 {
			return errColumns
		}
		site := Site{Class: JavaType(field[0]), Declaring: field[1], Method: field[2], Descriptor: field[3],
			Instruction: field[6], Called: field[7], AllocatedBy: field[8]}
		counts, err := parseCounts(field[9:])
		if err != nil {
			return err
		}
		if site.BCI, err = strconv.Atoi(field[4]); err != nil {
			return err
		}
		if site.Line, err = strconv.Atoi(field[5]); err != nil {
			return err
		}
		sites[site] = sites[site].Plus(counts)
		return nil
	})
	return sites, err
}
