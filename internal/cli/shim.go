package cli

import (
	"github.com/spf13/cobra"

	"mallard/internal/shim"
)

// shimCommand is what the kernel starts for a shim (package shim): it becomes the launcher of a JDK.
func (p *program) shimCommand() *cobra.Command {
	return &cobra.Command{
		Use:                shim.Command + " SHIM [ARGUMENT...]",
		Short:              "Start the launcher of a JDK that a shim stands for",
		Hidden:             true,
		DisableFlagParsing: true, // all are the launcher's
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("shim: name one")
			}
			const notStarted = 127 // as a shell has it
			p.say("%s", p.Operations.Shim(args[0], args[1:], func(text string) { p.say("%s", text) }))
			p.exitCode = notStarted
			return nil
		},
	}
}
