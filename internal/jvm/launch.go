// Package jvm knows how JVMs are started: what a launcher of a JDK is, and how an agent gets into it. It starts none
// itself.
package jvm

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// toolOptions is the variable that every HotSpot reads options from (JVMTI specification, "The JAVA_TOOL_OPTIONS
// Environment Variable"). The JVM says on stderr that it did.
const toolOptions = "JAVA_TOOL_OPTIONS"

// WithAgent gives the command and the environment that start command with an agent: as an argument where command is a
// launcher of a JDK, so that the JVM has nothing to say about it, and through the environment for anything else that
// may end up starting JVMs. It is an error if the agent's path cannot be written there. Options go with the agent;
// those that the user gives come later and hold.
func WithAgent(command, environment []string, agent string, options ...string) (newCommand, newEnvironment []string,
	err error) {
	words := append([]string{agent}, options...)
	if len(command) > 0 {
		switch launcher(command[0]) {
		case javaLauncher:
			return slices.Insert(slices.Clone(command), 1, words...), environment, nil
		case toolLauncher:
			for i := range words {
				words[i] = "-J" + words[i]
			}
			return slices.Insert(slices.Clone(command), 1, words...), environment, nil
		}
	}
	for i := range words {
		if words[i], err = quote(words[i]); err != nil {
			return nil, nil, err
		}
	}
	option := strings.Join(words, " ")
	newEnvironment = slices.Clone(environment)
	for i, v := range newEnvironment {
		if rest, ok := strings.CutPrefix(v, toolOptions+"="); ok {
			newEnvironment[i] = toolOptions + "=" + strings.TrimSpace(option+" "+rest)
			return command, newEnvironment, nil
		}
	}
	return command, append(newEnvironment, toolOptions+"="+option), nil
}

// quote writes an option so that the JVM reads it as one word: white space ends a word, except between two quotes of
// one kind, and nothing escapes a quote (Arguments::parse_options_buffer).
func quote(option string) (string, error) {
	if !strings.ContainsAny(option, " \t\n\v\f\r\"'") {
		return option, nil
	}
	for _, q := range []string{`"`, "'"} {
		if !strings.Contains(option, q) {
			return q + option + q, nil
		}
	}
	return "", fmt.Errorf("%s cannot stand in %s; set XDG_CACHE_HOME to a folder without quotes in its path", option,
		toolOptions)
}

// CompileHuge has the JVM compile methods over 8,000 bytes of bytecode as well.
const CompileHuge = "-XX:-DontCompileHugeMethods"

// WithoutAgent gives the arguments of a launcher without what [WithAgent] puts in, in the same memory.
func WithoutAgent(arguments []string) []string {
	i := slices.IndexFunc(arguments, isAgent)
	if i < 0 {
		return arguments
	}
	last := i + 1
	if last < len(arguments) && strings.TrimPrefix(arguments[last], "-J") == CompileHuge {
		last++
	}
	return slices.Delete(arguments, i, last)
}

func isAgent(argument string) bool {
	path, ok := strings.CutPrefix(strings.TrimPrefix(argument, "-J"), "-agentpath:")
	library, _, _ := strings.Cut(path, "=")
	return ok && filepath.Base(library) == "libmallard.so"
}

type launcherKind int

const (
	noLauncher   launcherKind = iota
	javaLauncher              // java: options for the JVM come first
	toolLauncher              // javac, jshell, ...: options for the JVM have -J before them
)

// launcher tells whether a command is a native program in the bin folder of a JDK.
func launcher(command string) launcherKind {
	path, err := exec.LookPath(command)
	if err != nil {
		return noLauncher
	}
	if path, err = filepath.EvalSymlinks(path); err != nil || !native(path) {
		return noLauncher
	}
	home := filepath.Dir(filepath.Dir(path))
	if _, err := os.Stat(filepath.Join(home, "lib", "libjli.so")); err != nil {
		return noLauncher
	}
	if filepath.Base(path) == "java" {
		return javaLauncher
	}
	return toolLauncher
}

// native reports whether a file is an ELF program, not a script around one.
func native(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	magic := make([]byte, 4)
	_, err = io.ReadFull(f, magic)
	return err == nil && bytes.Equal(magic, []byte("\x7fELF"))
}
