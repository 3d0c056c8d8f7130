package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"mallard/internal/profile"
)

// addFilters gives a command the flags that select what it is about.
func addFilters(cmd *cobra.Command) *profile.Filter {
	filter := &profile.Filter{}
	flags := cmd.Flags()
	flags.StringVar(&filter.Class, "class", "", "only allocations of types whose name matches `PATTERN`, e.g. "+
		"'java.util.*' or 'byte[]'")
	flags.StringVar(&filter.Method, "method", "", "only sites in methods whose class and name match `PATTERN`, e.g. "+
		"'java.util.HashMap.*'")
	flags.StringVar(&filter.Class, "only", "", "the same as --class")
	flags.StringVar(&filter.Under, "under", "", "only stacks that have a method whose class and name match "+
		"`PATTERN`; for recordings with contexts")
	flags.StringVar(&filter.Transaction, "transaction", "",
		"only what was done in transactions whose name matches `PATTERN`, and in others inside them; for recordings "+
			"with contexts")
	flags.StringVar(&filter.Thread, "thread", "", "only threads whose name matches `PATTERN`")
	for _, name := range []string{"class", "only", "method", "under", "transaction", "thread"} {
		completeFlag(cmd, name, nil)
	}
	return filter
}

// asksForContexts reports whether a filter is about what a recording without contexts does not have.
func asksForContexts(f *profile.Filter) bool { return f.Under != "" || f.Transaction != "" }

// hasContexts refuses questions about contexts to a recording without.
func hasContexts(r *recording) error {
	if r.profile.Tracked {
		return nil
	}
	return fmt.Errorf("%s was recorded without contexts, so who called is unknown; "+
		`"mallard run --track contexts" records them`, r.name)
}
