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
		Long: `Record a program that is already running: until it ends, for as long as --for says, or
until Ctrl-C or "mallard detach". Afterwards its classes are what they were before.

NAME is the main class or the jar, with or without its package or folder; one JVM only
may be running it. Only root can attach to another user's JVM.

Classes that are already loaded are changed while the program runs, a few hundred at a
time. A method's allocations are counted from its next call on, exactly. A method that
is in a loop at that moment would stay in the interpreter until it returns, so its
class is left alone and tried again every few seconds. "mallard info" says how many
classes count and how many are waiting.

Only sites are recorded. Contexts, objects and copies need a JVM that "mallard run" has
started, and so does the comparison of counts with what the JVM itself says it
allocated. Only one mallard can be attached to a JVM at a time.

JDK 21 and newer print a warning on the program's standard error that an agent was
loaded dynamically (JEP 451). The JVM option -XX:+EnableDynamicAgentLoading turns the
warning off; with -XX:-EnableDynamicAgentLoading the JVM refuses to be attached to.`,
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
		Long: `End a "mallard attach" that is recording a program: the recording is finished and the
program left as it was, as with Ctrl-C.`,
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
