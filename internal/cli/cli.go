package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"mallard/internal/launch"
)

// commands lists mallard's commands in the order of the help text.
var commands = []func(*program) *cobra.Command{
	(*program).runCommand,
	(*program).attachCommand,
	(*program).detachCommand,
	(*program).reportCommand,
	(*program).topCommand,
	(*program).viewCommand,
	(*program).diffCommand,
	(*program).mergeCommand,
	(*program).exportCommand,
	(*program).pushCommand,
	(*program).heapCommand,
	(*program).sourceCommand,
	(*program).checkCommand,
	(*program).replicasCommand,
	(*program).infoCommand,
	(*program).decodeCommand,
	(*program).dumpCommand,
	(*program).instrumentCommand,
	(*program).agentPathCommand,
	(*program).apiJarCommand,
	(*program).versionCommand,
	(*program).completionCommand,
	(*program).recordCommand,
	(*program).shimCommand,
	(*program).followCommand,
	(*program).manualCommand,
	(*program).formatsTopic,
	(*program).tracksTopic,
	(*program).jvmsTopic,
	(*program).transactionsTopic,
	(*program).wasteTopic,
}

// Main carries out the command line and returns the exit code. The arguments
// do not include the program's name.
func Main(ctx context.Context, args []string, env Environment) int {
	ended := make(chan struct{})
	defer close(ended)
	p := &program{Environment: env, ended: ended}
	root := p.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return p.exitCode
	}
	p.say("%s", err)
	var usage *usageError
	var notStarted *launch.NotStarted
	if errors.As(err, &notStarted) && notStarted.Code != 0 {
		return notStarted.Code
	}
	if !p.running || errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailure
}

// rootCommand builds the tree of commands.
func (p *program) rootCommand() *cobra.Command {
	version := false
	root := &cobra.Command{
		Use:   "mallard",
		Short: "Say exactly what a Java program allocates, and where",
		Long: `Mallard reports exactly what a Java program allocates, and where.

"mallard run" starts a program and records it. The other commands answer questions
about the recording, also while it is being written: the JVM's process ID may then
stand for the file. Programs need no changes. JDK 17 or newer is required.

Exit codes are 0 for success, 1 for failure and 2 for an invalid command line.
"mallard run" passes on the program's exit code, or returns 127 if the command is not
found and 126 if it cannot be executed.`,
		Example: `  mallard run -o app.mallard -- java -jar app.jar
  mallard report app.mallard
  mallard report app.mallard --by class --top 10`,
		Args:          unknownCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return p.print(writeVersion)
			}
			return usagef(`no command given; "mallard help" lists the commands`)
		},
	}
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	root.SetHelpCommand(p.helpCommand(root))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if err := p.print(func(w io.Writer) error { return writeHelp(w, cmd) }); err != nil {
			p.say("%s", err)
			p.exitCode = exitFailure
		}
	})
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef(`%w; see "%s --help"`, flagError(err), cmd.CommandPath())
	})
	for _, command := range commands {
		root.AddCommand(p.marked(command(p)))
	}
	return root
}

// unknownCommand refuses arguments of mallard itself: they are misspelt
// commands.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usagef("unknown command: %s; did you mean %s?", args[0], near[0])
	}
	return usagef(`unknown command: %s; "mallard help" lists the commands`, args[0])
}
