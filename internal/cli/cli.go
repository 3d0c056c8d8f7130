package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"
)

// commands lists mallard's commands in the order of the help text.
var commands = []func(*program) *cobra.Command{
	(*program).runCommand,
	(*program).reportCommand,
	(*program).exportCommand,
	(*program).heapCommand,
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
	(*program).manualCommand,
	(*program).formatsTopic,
	(*program).tracksTopic,
	(*program).jvmsTopic,
	(*program).transactionsTopic,
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
	if !p.running || errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailure
}

// rootCommand builds the tree of commands.
func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "mallard",
		Short: "Say exactly what a Java program allocates, and where",
		Long: `Mallard says exactly what a Java program allocates, and where.

"mallard run" starts the program and records it; the other commands answer
questions about the recording. Programs need no change; JDK 17 and newer.`,
		Example: `  mallard run -o app.mallard -- java -jar app.jar
  mallard report app.mallard
  mallard report app.mallard --by class --sort bytes --top 10`,
		Args:          unknownCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef(`say what to do: "mallard help" lists the commands`)
		},
	}
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
		return usagef(`%w; see "%s --help"`, err, cmd.CommandPath())
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
		return usagef("there is no command %q; did you mean %q?", args[0], near[0])
	}
	return usagef(`there is no command %q; "mallard help" lists the commands`, args[0])
}
