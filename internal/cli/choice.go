package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is the value of a flag that is one of a few words.
type choice struct {
	words []string
	value string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.words, "|") }

func (c *choice) Set(word string) error {
	if !slices.Contains(c.words, word) {
		return fmt.Errorf("choose one of %s", strings.Join(c.words, ", "))
	}
	c.value = word
	return nil
}

// addChoice gives a command a flag that is one of words, the first being the
// default, and has shells complete it.
func addChoice(cmd *cobra.Command, name, usage string, words ...string) *choice {
	c := &choice{words: words, value: words[0]}
	cmd.Flags().Var(c, name, usage)
	completeFlag(cmd, name, words)
	return c
}

// completeFlag has shells complete a flag's value with words.
func completeFlag(cmd *cobra.Command, name string, words []string) {
	fixed := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(name, fixed); err != nil {
		panic(err) // the flag's name is misspelt here
	}
}
