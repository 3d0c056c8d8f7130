package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/observe"
)

// addOptions gives a command flags for the options of observers, and has shells complete them.
func addOptions(cmd *cobra.Command, options []observe.Option) {
	for _, o := range options {
		f := cmd.Flags().VarPF(&optionFlag{option: o, text: o.Default}, o.Name, "", o.Help)
		if o.Value == "" {
			f.NoOptDefVal, f.DefValue = "true", "false"
			continue
		}
		completeFlag(cmd, o.Name, o.Choices)
	}
}

// optionFlag is the value of such a flag.
type optionFlag struct {
	option observe.Option
	text   string
}

// String, Type and Set make an optionFlag the value of a flag.

func (f *optionFlag) String() string { return f.text }

func (f *optionFlag) Type() string {
	switch {
	case f.option.Value == "":
		return "bool"
	case f.option.Closed:
		return strings.Join(f.option.Choices, "|")
	}
	return f.option.Value
}

func (f *optionFlag) Set(text string) error {
	if err := f.option.Set(text); err != nil {
		return err
	}
	f.text = text
	return nil
}
