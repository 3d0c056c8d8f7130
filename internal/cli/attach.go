package cli

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/jvm"
	"mallard/internal/launch"
	"mallard/internal/observe/registry"
	"mallard/internal/placement"
	"mallard/internal/profile"
	"mallard/internal/session"
)

func (p *program) attachCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "attach PID|NAME",
		Short: "Record a program that runs already, and leave it as it was",
		Long: `Record a program that runs already, from now on until it ends, or for as long as --for
says, from when its classes count, or until Ctrl-C or "mallard detach". Then its classes are
as they were before.

NAME is the main class or the jar, with or without its package or folder, where one JVM alone
runs that. Other users' JVMs can be attached to by root alone.

Classes that the JVM has loaded are changed while it runs, some hundred at a time; what a
method allocates is counted from its first call after that on, and exact from then on. A
method that is running then, in a loop, would go on in the JVM's interpreter until it returns:
its class is left as it is, and tried again every few seconds. How many classes count, and how
many wait, is in the recording ("mallard info").

Sites are recorded. Contexts, objects and copies need fields and walks of the heap that a JVM
has from its start: "mallard run" has them. Nor is known what the JVM says that it has
allocated itself, by which counts are checked otherwise. A JVM can be attached to once.

JDK 21 and newer say on the program's standard error that an agent was loaded dynamically
(JEP 451): it is this one. -XX:+EnableDynamicAgentLoading among the JVM's options keeps them
quiet, and with -XX:-EnableDynamicAgentLoading they refuse.`,
		Example: `  mallard attach 4711 --for 30s -o shop.mallard
  mallard attach shop.jar`,
		Args: oneJVM,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return p.completeJVMs(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	flags := cmd.Flags()
	output := flags.StringP("output", "o", launch.DefaultOutput,
		"write the recording to `FILE`; %p is the process id, %t the start time")
	force := flags.Bool("force", false, "overwrite FILE if it exists")
	during := flags.Duration("for", 0, "record for this `TIME`, then leave; 0: until the program ends")
	strategy := addChoice(cmd, "placement", "where counters go",
		option[placement.Strategy]{"optimal", placement.Optimal},
		option[placement.Strategy]{"ducktracks", placement.DuckTracks},
		option[placement.Strategy]{"site", placement.Site})
	waits := addWaits(cmd)
	quiet := flags.BoolP("quiet", "q", false, "print messages only if something fails")
	completeFlag(cmd, "for", []string{"30s", "5m"})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case *output == "":
			return usagef("-o: missing file name")
		case *during < 0:
			return usagef("--for: %v is not a time above 0, such as 30s", *during)
		}
		if err := waits.check(); err != nil {
			return err
		}
		pid, err := p.findJVM(args[0])
		if err != nil {
			return err
		}
		return p.Operations.Attach(cmd.Context(), pid, *during, launch.Options{
			Output: *output,
			Force:  *force,
			Quiet:  *quiet,
			Stdout: p.Stdout,
			Stderr: p.Stderr,
			Record: session.Options{
				Observers:    registry.New(),
				Placement:    strategy.value,
				Version:      buildVersion(),
				AnswerWithin: waits.answer,
				ExitWithin:   waits.exit,
			},
		})
	}
	return cmd
}

func (p *program) detachCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "detach PID|NAME",
		Short: "Have \"mallard attach\" leave a program",
		Long: `Have the "mallard attach" that records a program finish the recording and leave the
program as it was, as Ctrl-C there does.`,
		Example: `  mallard detach 4711`,
		Args:    oneJVM,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return p.completeJVMs(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		pid, err := p.findJVM(args[0])
		if err != nil {
			return err
		}
		return p.Operations.Detach(pid)
	}
	return cmd
}

// oneJVM demands the argument of commands about a JVM that runs.
func oneJVM(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usagef("missing argument: process id or main class of a JVM; usage: %s", cmd.UseLine())
	case 1:
		return nil
	}
	return usagef("one JVM at a time; usage: %s", cmd.UseLine())
}

// completeJVMs lists the JVMs that run, with what they run.
func (p *program) completeJVMs() (words []string) {
	for _, r := range p.Operations.JVMs() {
		words = append(words, fmt.Sprintf("%d\t%s", r.PID, programName(&r)))
	}
	return words
}

func programName(r *jvm.Running) string {
	if main, _ := profile.MainProgram(r.Command); main != "" {
		return main
	}
	return r.Command[0]
}

// findJVM gives the process of the JVM that is meant: its number, or its main class or jar, or the last part of that
// name, if one alone has it.
func (p *program) findJVM(text string) (int, error) {
	if pid, err := strconv.ParseUint(text, 10, 31); err == nil && pid > 0 {
		return int(pid), nil
	}
	var found, all []string
	var pid int
	for _, r := range p.Operations.JVMs() {
		name := programName(&r)
		word := fmt.Sprintf("%d (%s)", r.PID, name)
		all = append(all, word)
		if name == text || path.Base(name) == text || path.Ext(name) == "."+text {
			found = append(found, word)
			pid = r.PID
		}
	}
	switch {
	case len(found) == 1:
		return pid, nil
	case len(found) > 1:
		return 0, fmt.Errorf("%d JVMs run %s: %s; give the process id of one", len(found), text,
			strings.Join(found, ", "))
	case len(all) == 0:
		return 0, fmt.Errorf("no JVM runs %s; none was found", text)
	}
	return 0, fmt.Errorf("no JVM runs %s; there are %s", text, strings.Join(all, ", "))
}
