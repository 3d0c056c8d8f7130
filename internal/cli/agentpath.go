package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func (p *program) agentPathCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "agentpath",
		Short: "Print the path of the agent's library, for java -agentpath",
		Long: `Print the path of the agent library. It is unpacked first if necessary.

With the agent a JVM records itself, without "mallard run":

  java -agentpath:$(mallard agentpath)=track=sites,file=app.mallard -jar app.jar`,
		Example: `  mallard agentpath`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			path, err := p.Operations.AgentPath()
			if err != nil {
				return err
			}
			return p.print(func(w io.Writer) error {
				_, err := fmt.Fprintln(w, path)
				return err
			})
		},
	}
}
