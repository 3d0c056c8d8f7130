package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// Exit codes of mallard's own.
const (
	exitFailure = 1
	exitUsage   = 2
)

// Environment is what the command line works with.
type Environment struct {
	Stdin      io.Reader
	Stdout     io.Writer
	Stderr     io.Writer
	Exit       func(code int) // ends this process at once, with what it holds
	Operations Operations
}

// program is one call of mallard.
type program struct {
	Environment
	running  bool // a command has accepted its arguments
	exitCode int  // set by commands that pass on another program's
	bound    bound
	ended    <-chan struct{} // closed when the command has ended
}

// say prints one line to the user.
func (p *program) say(format string, args ...any) {
	line := strings.ReplaceAll(strings.TrimSpace(fmt.Sprintf(format, args...)), "\n", " ")
	fmt.Fprintln(p.Stderr, "mallard: "+line)
}

// marked makes a command note that its arguments were accepted, and keeps its
// flags in the order of their definition.
func (p *program) marked(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().SortFlags = false
	recordings := recordingsAmong(cmd)
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			p.running = true
			args, err := recordings.named(args)
			if err != nil {
				return err
			}
			return run(cmd, args)
		}
	}
	if recordings != noneIsRecording {
		cmd.ValidArgsFunction = recordings.complete
	}
	return cmd
}
