package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func init() {
	cobra.EnableCommandSorting = false // commands are listed in their own order
}

func (p *program) helpCommand(root *cobra.Command) *cobra.Command {
	return p.marked(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print help on a command or a topic",
		Long:  `Print help on a command or a topic. Without an argument, list them.`,
		Example: `  mallard help
  mallard help report
  mallard help formats`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (names []string,
			directive cobra.ShellCompDirective) {
			directive = cobra.ShellCompDirectiveNoFileComp
			if len(args) > 0 {
				return nil, directive
			}
			for _, cmd := range root.Commands() {
				if !cmd.Hidden {
					names = append(names, cmd.Name())
				}
			}
			return names, directive
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usagef(`no help topic %s; "mallard help" lists commands and topics`,
					strings.Join(args, " "))
			}
			return p.print(func(w io.Writer) error { return writeHelp(w, cmd) })
		},
	})
}

// writeHelp prints what there is to know about a command or topic.
func writeHelp(w io.Writer, cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString(cmd.Long + "\n")
	if usage := usageLine(cmd); usage != "" {
		b.WriteString("\nUsage:\n  " + usage + "\n")
	}
	for _, list := range []struct {
		title string
		has   func(*cobra.Command) bool
	}{
		{"Commands", func(c *cobra.Command) bool { return c.Runnable() }},
		{"Topics", func(c *cobra.Command) bool { return !c.Runnable() }},
	} {
		var lines []string
		for _, sub := range cmd.Commands() {
			if !sub.Hidden && list.has(sub) {
				lines = append(lines, fmt.Sprintf("  %-11s %s\n", sub.Name(), sub.Short))
			}
		}
		if len(lines) > 0 {
			b.WriteString("\n" + list.title + ":\n" + strings.Join(lines, ""))
		}
	}
	if flags := flagsText(cmd.LocalFlags()); flags != "" {
		b.WriteString("\nFlags:\n" + flags)
	}
	if cmd.Example != "" {
		b.WriteString("\nExamples:\n" + cmd.Example + "\n")
	}
	if cmd.HasSubCommands() {
		b.WriteString("\n\"mallard help COMMAND\" says more about a command or topic.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// usageLine is how a command is called; topics are not.
func usageLine(cmd *cobra.Command) string {
	switch {
	case !cmd.Runnable():
		return ""
	case !cmd.HasParent():
		return cmd.Name() + " COMMAND"
	}
	return cmd.UseLine()
}

// helpColumns is the width of lists of flags.
const helpColumns = 100

// manyChoices is how long choices may be to stand behind a flag's name.
const manyChoices = 32

// withChoices has choices behind what they are for, where they would take the room of that.
func withChoices(flag *pflag.Flag) *pflag.Flag {
	separator, introduced := "|", ": one `WORD` of "
	if strings.Contains(flag.Value.Type(), ",") {
		separator, introduced = ",", ": a `LIST`, separated by commas, of "
	}
	choices := strings.Split(flag.Value.Type(), separator)
	if len(flag.Name)+len(flag.Value.Type()) <= manyChoices || len(choices) == 1 {
		return flag
	}
	shown := *flag
	shown.Usage += introduced + strings.Join(choices, ", ")
	return &shown
}

// flagsText lists the flags of a command but --help, as its help does.
func flagsText(flags *pflag.FlagSet) string {
	listed := pflag.NewFlagSet("", pflag.ContinueOnError)
	listed.SortFlags = false
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "help" {
			listed.AddFlag(withChoices(flag))
		}
	})
	return listed.FlagUsagesWrapped(helpColumns)
}
