package jvmtest

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// RunPlain tells what a command does by itself. The result of an earlier run of the same classes, on the same JDK, with
// the same options and input, is as good as a new one: the test programs do the same in each run. MALLARD_LONG runs
// them anew.
func RunPlain(tb testing.TB, jdk JDK, c Command) Output {
	tb.Helper()
	output, _ := runKept(tb, jdk, "plain", c, nil)
	return output
}

// outputFile has a run's Output.
const outputFile = "output"

// runKept runs a command with an agent, if there is one, which writes files into a folder, and gives the folder.
func runKept(tb testing.TB, jdk JDK, kind string, c Command, agent *oracleAgent) (Output, string) {
	tb.Helper()
	run := func(folder string) error {
		c := c
		if agent != nil {
			c.Timeout = max(c.Timeout, oracleTimeout)
			c.Options = slices.Concat(c.Options, agent.options, []string{agent.option(folder)})
		}
		output, err := jdk.Run(c)
		if err != nil {
			return err
		}
		if agent != nil {
			if err := agent.wrote(folder); err != nil {
				return fmt.Errorf("%w; the program's exit code is %d and its stderr\n%s", err, output.ExitCode,
					output.Stderr)
			}
		}
		var text bytes.Buffer
		if err := gob.NewEncoder(&text).Encode(output); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(folder, outputFile), text.Bytes(), 0o644)
	}
	folder, err := "", error(nil)
	if Long() || isPassing(c) {
		folder = tb.TempDir()
		err = run(folder)
	} else {
		folder, err = kept(kind, ofRun(jdk, c, agent), run)
	}
	if err != nil {
		tb.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, outputFile))
	if err != nil {
		tb.Fatal(err)
	}
	var output Output
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&output); err != nil {
		tb.Fatal(err)
	}
	return output, folder
}

// isPassing tells whether a command names a test's temporary folder: no later command is the same.
func isPassing(c Command) bool {
	temporary := func(word string) bool { return strings.Contains(word, filepath.Join(os.TempDir(), "Test")) }
	return c.Dir != "" || slices.ContainsFunc(slices.Concat(c.Wrap, c.Options, c.Classpath, c.Args, c.Env), temporary)
}

// ofRun is what a run's result depends on. The number of processors decides how many threads a JVM has.
func ofRun(jdk JDK, c Command, agent *oracleAgent) *ingredients {
	key := newIngredients()
	key.jdk(jdk)
	key.words(fmt.Sprint(runtime.NumCPU()), c.Main, c.Stdin)
	key.words(c.Wrap...)
	key.words(c.Options...)
	key.words(c.Env...)
	key.words(fmt.Sprint(len(c.Classpath)), fmt.Sprint(len(c.Args)))
	for _, word := range slices.Concat(c.Classpath, c.Args) {
		if _, err := os.Stat(word); err == nil { // what it has, wherever it is
			key.tree(word)
		} else {
			key.words(word)
		}
	}
	if agent != nil {
		key.words(agent.options...)
		key.words(agent.format)
		key.file("agent", agent.library)
	}
	return key
}
