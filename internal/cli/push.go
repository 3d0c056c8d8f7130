package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"mallard/internal/profile"
	"mallard/internal/push"
)

func (p *program) pushCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "push FILE URL",
		Short: "Send a recording to a Pyroscope server",
		Long: `Send a recording, or a span of it, to a Pyroscope server as one pprof profile with
alloc_objects and alloc_space. "mallard run --push URL" does this while the program
runs. Stacks below 0.1 % are combined in frames ` + profile.Omitted + `, as in exports.

The application's name is the main class or jar; --label adds labels. URL may contain a
user and a password. A token is read from the environment variable MALLARD_PUSH_TOKEN,
the tenant (header X-Scope-OrgID) from MALLARD_PUSH_TENANT.`,
		Example: `  mallard push app.mallard http://127.0.0.1:4040 --label host=web1`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("expected a recording file and a URL; usage: %s FILE URL", cmd.CommandPath())
			}
			return nil
		},
		Annotations: firstIsRecording,
	}
	labels := addLabels(cmd, "a label of the profile, e.g. host=web1; may be repeated")
	span := addSpan(cmd, "allocated", snapshotBounds)
	p.bound.addFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		server, err := push.NewServer(args[1], os.Getenv, labels)
		if err != nil {
			return usagef("URL: %w", err)
		}
		if err := span.check(); err != nil {
			return err
		}
		recording, err := p.openWithin(args[0], span, nil)
		if err != nil {
			return err
		}
		if err := server.Send(cmd.Context(), recording.name, recording.profile); err != nil {
			return fmt.Errorf("%s does not take profiles: %w", server.Name(), err)
		}
		p.say("pushed %s to %s", recording.name, server.Name())
		return nil
	}
	return cmd
}
