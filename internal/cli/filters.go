package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/profile"
)

// addFilters gives a command the flags that select what it is about.
func addFilters(cmd *cobra.Command) *profile.Filter {
	filter := &profile.Filter{}
	flags := cmd.Flags()
	flags.StringVar(&filter.Class, "class", "", "only allocations of `CLASSES`, e.g. String, 'byte[]', org.foo, "+
		"'java.util.*'; several are separated by commas")
	flags.StringVar(&filter.Method, "method", "", "only sites in `METHODS`, e.g. Shop.slow, 'java.util.HashMap.*'")
	flags.StringVar(&filter.Class, "only", "", "the same as --class `CLASSES`")
	flags.StringVar(&filter.Under, "under", "", "only stacks that contain one of `METHODS`; needs a recording with "+
		"contexts")
	flags.StringVar(&filter.Transaction, "transaction", "", "only what was done in transactions with these `NAMES`, "+
		"and in others inside them; needs a recording with contexts")
	flags.StringVar(&filter.Thread, "thread", "", "only threads with these `NAMES`, e.g. main, 'worker-*'")
	for _, name := range []string{"class", "only", "method", "under", "transaction", "thread"} {
		completeFlag(cmd, name, nil)
	}
	return filter
}

// asksForContexts reports whether a filter is about what a recording without contexts does not have.
func asksForContexts(f *profile.Filter) bool { return f.Under != "" || f.Transaction != "" }

// hasContexts refuses questions about contexts to a recording without.
func hasContexts(r *recording) error {
	for _, part := range r.all() {
		if !part.profile.Tracked {
			return fmt.Errorf("%s was recorded without contexts, so callers are unknown; "+
				`"mallard run --track contexts" records them`, part.name)
		}
	}
	return nil
}

// checkFilter refuses a filter that selects nothing, and names what is like what it asks for.
func (r *recording) checkFilter(f *profile.Filter) error {
	if f.IsZero() {
		return nil
	}
	for range r.profile.Samples(*f) {
		return nil
	}
	if none := r.profile.NoMatch(*f); none != nil {
		return noMatch(none.Flag, none.Pattern, none.Nearest)
	}
	return fmt.Errorf("nothing in %s matches all of these filters at once", r.name)
}

// sayUnmatched names parts of a filter's lists that select nothing.
func (p *program) sayUnmatched(r *recording, f *profile.Filter) {
	for _, none := range r.profile.Unmatched(*f) {
		p.say("%v", noMatch(none.Flag, none.Pattern, none.Nearest))
	}
}

// noMatch says that the value of a flag selects nothing.
func noMatch(flag, pattern string, nearest []string) error {
	text := ""
	if len(nearest) > 0 {
		text = "; did you mean " + strings.Join(nearest, ", ") + "?"
	}
	return fmt.Errorf("--%s: nothing in this recording matches %q%s", flag, pattern, text)
}
