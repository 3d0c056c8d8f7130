package jvmtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Shares tells whether a program can run after others in one JVM, and others after it: it ends by itself, with all of
// its threads, and reads nothing.
func (p Program) Shares() bool { return !p.OwnJVM && p.Exit == 0 && p.Stdin == "" }

// TogetherClass is the class that calls the programs' main methods.
const TogetherClass = "Together"

// Together gives the programs of the JDK that can share a JVM, or those of some names, and a command that runs one
// after the other. Their classes are those that they have when each runs in a JVM of its own.
func Together(tb testing.TB, jdk JDK, names ...string) ([]Program, Command) {
	tb.Helper()
	var programs []Program
	var folders []string
	var calls strings.Builder
	key := newIngredients()
	key.jdk(jdk)
	for _, program := range Programs(tb) {
		if !program.Shares() || program.MinJDK > jdk.Feature ||
			len(names) > 0 && !slices.Contains(names, program.Name) {
			continue
		}
		programs = append(programs, program)
		folder := program.Command(tb, jdk).Classpath[0]
		folders = append(folders, folder)
		key.tree(folder)
		fmt.Fprintf(&calls, "        begin(\"%s%s\");\n        %[2]s.main(args);\n", separator, program.Name)
	}
	text := "class " + TogetherClass + " {\n    public static void main(String[] args) throws Throwable {\n" +
		calls.String() + "    }\n\n    private static void begin(String line) {\n" +
		"        System.out.println(line);\n        System.err.println(line);\n    }\n}\n"
	key.words(text)
	folder, err := kept("together", key, func(out string) error {
		for _, folder := range folders {
			if err := os.CopyFS(out, os.DirFS(folder)); err != nil {
				return err
			}
		}
		source := filepath.Join(tb.TempDir(), TogetherClass+".java")
		if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
			return err
		}
		return jdk.javac(out, []string{"-cp", out}, []string{source})
	})
	if err != nil {
		tb.Fatal(err)
	}
	return programs, Command{Classpath: []string{folder}, Main: TogetherClass, Timeout: 10 * time.Minute}
}

// separator begins the line that is printed before a program runs.
const separator = "-------- "

// Divide gives what each of the programs printed that ran together, by name. All have the exit code. One that was not
// reached has no output.
func Divide(all Output) map[string]Output {
	outputs := map[string]Output{}
	for name, text := range divide(all.Stdout) {
		outputs[name] = Output{Stdout: text, ExitCode: all.ExitCode}
	}
	for name, text := range divide(all.Stderr) {
		output := outputs[name]
		output.Stderr = text
		outputs[name] = output
	}
	return outputs
}

// divide gives what stands behind the line of each program.
func divide(text string) map[string]string {
	parts, name := map[string]string{}, ""
	for line := range strings.Lines(text) {
		if next, ok := strings.CutPrefix(line, separator); ok {
			name = strings.TrimSuffix(next, "\n")
			line = ""
		}
		parts[name] += line
	}
	return parts
}
