package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"mallard/internal/launch"
	"mallard/internal/observe/registry"
	"mallard/internal/session"
)

// recordCommand is what an agent that was started by -agentpath alone calls.
func (p *program) recordCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "record FD",
		Short:  "Record the JVM whose agent is connected to a file descriptor",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			fd, err := strconv.ParseUint(args[0], 10, 31)
			if err != nil {
				return usagef("%q is not a file descriptor", args[0])
			}
			return p.Operations.Record(uintptr(fd),
				launch.Options{Record: session.Options{Observers: registry.New(), Version: buildVersion()},
					Stderr: p.Stderr})
		},
	}
}
