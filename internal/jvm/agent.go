// Package jvm knows how JVMs are started: what a launcher of a JDK is, how an agent gets into it, and what keeps one
// out. It starts none itself.
package jvm

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Agent is what goes into JVMs.
type Agent struct {
	Library string   // the path of its file
	Options string   // for the agent (-agentpath:LIBRARY=OPTIONS)
	JVM     []string // options of the JVM's that go with it; those that the user gives come later and hold
}

const (
	// oursOfToolOptions has what toolOptions begins with, of ours. The agent reads both (agent/children.c).
	oursOfToolOptions = "MALLARD_TOOL_OPTIONS"

	// restore is the agent's option to put what is ours back into toolOptions, for JVMs that the program starts.
	restore = ",restore"
)

// words are the agent as options of a JVM's.
func (a Agent) words() []string {
	return append([]string{"-agentpath:" + a.Library + "=" + a.Options}, a.JVM...)
}

// Into gives the command and the environment that start command with the agent: as an argument where command is a
// launcher of a JDK, so that the JVM has nothing to say about it, and through the environment for anything else that
// may end up starting JVMs. It is an error if the agent's path cannot be written there.
func (a Agent) Into(command, environment []string) (newCommand, newEnvironment []string, err error) {
	words := a.words()
	if len(command) > 0 {
		if l, ok := FindLauncher(command[0]); ok {
			return slices.Insert(slices.Clone(command), 1, l.options(words)...), environment, nil
		}
	}
	for i := range words {
		if words[i], err = quote(words[i]); err != nil {
			return nil, nil, err
		}
	}
	ours := strings.Join(words, " ")
	environment = WithVariable(environment, toolOptions, strings.TrimSpace(ours+" "+Variable(environment, toolOptions)))
	return command, WithVariable(environment, oursOfToolOptions, ours), nil
}

// TakeOut gives the agent that [Agent.Into] has put into an environment, and the environment without, for a launcher
// that gets the agent as an argument. JVMs that its program starts are to have it from the environment again, which the
// agent sees to, unless somebody else took it out before. It is false where there is no agent.
func TakeOut(environment []string) (a Agent, without []string, ok bool) {
	ours := Variable(environment, oursOfToolOptions)
	words := optionWords(ours)
	if len(words) == 0 || !isAgent(words[0]) {
		return Agent{}, environment, false
	}
	path, _ := strings.CutPrefix(words[0], "-agentpath:")
	a.Library, a.Options, _ = strings.Cut(path, "=")
	a.JVM = words[1:]
	theirs, has := strings.CutPrefix(Variable(environment, toolOptions), ours)
	if !has || theirs != "" && theirs[0] != ' ' {
		return a, environment, true
	}
	a.Options += restore
	return a, WithVariable(environment, toolOptions, strings.TrimSpace(theirs)), true
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

// MoreMetadata has the first collection for metadata come where it comes without Mallard: instrumented classes are not
// used out of the JVM's archive, and are larger, so that metadata takes 8 to 14 MB more. JVMs begin with 21 MB.
const MoreMetadata = "-XX:MetaspaceSize=36m"

// WithoutAgent gives the arguments of a launcher without what [Agent.Into] puts in, in the same memory.
func WithoutAgent(arguments []string) []string {
	i := slices.IndexFunc(arguments, isAgent)
	if i < 0 {
		return arguments
	}
	last := i + 1
	for last < len(arguments) && isOurs(strings.TrimPrefix(arguments[last], "-J")) {
		last++
	}
	return slices.Delete(arguments, i, last)
}

func isOurs(option string) bool { return option == CompileHuge || option == MoreMetadata }

func isAgent(argument string) bool {
	path, ok := strings.CutPrefix(strings.TrimPrefix(argument, "-J"), "-agentpath:")
	library, _, _ := strings.Cut(path, "=")
	return ok && filepath.Base(library) == "libmallard.so"
}
