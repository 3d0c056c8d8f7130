package cli

import (
	"github.com/spf13/cobra"

	"mallard/internal/profile"
)

// addFilters gives a command the flags that select what it is about.
func addFilters(cmd *cobra.Command) *profile.Filter {
	filter := &profile.Filter{}
	flags := cmd.Flags()
	flags.StringVar(&filter.Class, "class", "", "only allocations of types whose name matches `PATTERN`, e.g. 'java.util.*' or 'byte[]'")
	flags.StringVar(&filter.Method, "method", "", "only sites in methods whose class and name match `PATTERN`, e.g. 'java.util.HashMap.*'")
	flags.StringVar(&filter.Thread, "thread", "", "only threads whose name matches `PATTERN`")
	for _, name := range []string{"class", "method", "thread"} {
		completeFlag(cmd, name, nil)
	}
	return filter
}
