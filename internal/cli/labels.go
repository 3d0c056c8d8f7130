package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// labels is a flag's value: what the user says of a recording, NAME=VALUE, as often as wanted.
type labels map[string]string

// addLabels adds the flag.
func addLabels(cmd *cobra.Command, usage string) labels {
	l := labels{}
	cmd.Flags().Var(l, "label", usage)
	completeFlag(cmd, "label", nil)
	return l
}

func (l labels) String() string { return "" }
func (l labels) Type() string   { return "NAME=VALUE" }

// labelName is what names of labels look like, as those of Prometheus do.
var labelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

func (l labels) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	switch {
	case !ok:
		return fmt.Errorf("not a name and a value, such as host=web1")
	case !labelName.MatchString(name) || strings.HasPrefix(name, "__"):
		return fmt.Errorf("not the name of a label: letters, digits and _, not first a digit or __")
	case value == "":
		return fmt.Errorf("a label without a value")
	}
	if _, twice := l[name]; twice {
		return fmt.Errorf("a label that is there already")
	}
	l[name] = value
	return nil
}
