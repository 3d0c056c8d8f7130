package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// choice is the value of a flag that is one of a few words, each of which
// stands for a V.
type choice[V any] struct {
	options []option[V]
	word    string // as chosen, empty if nothing was
	value   V      // what it stands for
}

// option is a word that can be chosen.
type option[V any] struct {
	word  string
	value V
}

// addChoice gives a command a flag that is one of options, the first being the
// default, and has shells complete it.
func addChoice[V any](cmd *cobra.Command, name, usage string, options ...option[V]) *choice[V] {
	c := addRequiredChoice(cmd, name, usage, options...)
	c.word, c.value = options[0].word, options[0].value
	cmd.Flags().Lookup(name).DefValue = c.word
	return c
}

// addRequiredChoice is addChoice without a default.
func addRequiredChoice[V any](cmd *cobra.Command, name, usage string, options ...option[V]) *choice[V] {
	c := &choice[V]{options: options}
	cmd.Flags().Var(c, name, usage)
	completeFlag(cmd, name, c.words())
	return c
}

func (c *choice[V]) words() (words []string) {
	for _, o := range c.options {
		words = append(words, o.word)
	}
	return words
}

// String, Type and Set make a choice the value of a flag.

func (c *choice[V]) String() string { return c.word }
func (c *choice[V]) Type() string   { return strings.Join(c.words(), "|") }

func (c *choice[V]) Set(word string) error {
	for _, o := range c.options {
		if o.word == word {
			c.word, c.value = o.word, o.value
			return nil
		}
	}
	return fmt.Errorf("not one of %s", strings.Join(c.words(), ", "))
}

// completeFlag has shells complete a flag's value with words.
func completeFlag(cmd *cobra.Command, name string, words []string) {
	fixed := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(name, fixed); err != nil {
		panic(err) // the flag's name is misspelt here
	}
}
