package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// shells lists the shells that commands can be completed in.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func (p *program) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion " + strings.Join(shells, "|"),
		Short: "Print a script that makes a shell complete mallard's commands",
		Long: `Print a script with which a shell completes commands, flags, flag values and names of
recordings.

bash        source <(mallard completion bash)
zsh         mallard completion zsh > "${fpath[1]}/_mallard"
fish        mallard completion fish > ~/.config/fish/completions/mallard.fish
powershell  mallard completion powershell | Out-String | Invoke-Expression

In bash this affects the current shell only. For all shells, write the script to
~/.local/share/bash-completion/completions/mallard.`,
		Example:   `  mallard completion bash`,
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || cobra.OnlyValidArgs(cmd, args) != nil {
				return usagef("expected one shell: %s", strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			return p.print(map[string]writer{
				"bash":       func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
				"zsh":        root.GenZshCompletion,
				"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
				"powershell": root.GenPowerShellCompletionWithDesc,
			}[args[0]])
		},
	}
}
