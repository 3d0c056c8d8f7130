package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choices is the value of a flag that is some of a few words, joined by commas, each of which stands for a V.
type choices[V comparable] struct {
	options []option[V]
	text    string // as chosen
	values  []V    // what the words stand for, none twice
}

// addChoices gives a command a flag that is some of options, the first by itself being the default, and has shells
// complete it.
func addChoices[V comparable](cmd *cobra.Command, name, usage string, options ...option[V]) *choices[V] {
	c := &choices[V]{options: options, text: options[0].word, values: []V{options[0].value}}
	cmd.Flags().Var(c, name, usage)
	err := cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) ([]string,
		cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var words []string
		for _, o := range c.options {
			words = append(words, before+o.word)
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag's name is misspelt here
	}
	return c
}

// String, Type and Set make choices the value of a flag.

func (c *choices[V]) String() string { return c.text }

func (c *choices[V]) Type() string {
	var words []string
	for _, o := range c.options {
		words = append(words, o.word)
	}
	return strings.Join(words, ",")
}

func (c *choices[V]) Set(text string) error {
	var values []V
	for word := range strings.SplitSeq(text, ",") {
		i := slices.IndexFunc(c.options, func(o option[V]) bool { return o.word == word })
		if i < 0 {
			return fmt.Errorf("not some of %s, separated by commas", strings.ReplaceAll(c.Type(), ",", ", "))
		}
		if value := c.options[i].value; !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	c.text, c.values = text, values
	return nil
}
