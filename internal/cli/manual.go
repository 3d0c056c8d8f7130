package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// manualCommand writes the reference that help prints piece by piece as one
// page: docs/cli.md, and the manual page.
func (p *program) manualCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:    "manual",
		Short:  "Print the whole reference",
		Hidden: true,
		Args:   noArguments,
	}
	format := addChoice(cmd, "format", "form of the reference",
		option[page]{"markdown", markdownPage},
		option[page]{"man", manPage})
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		page := format.value
		return p.print(func(w io.Writer) error {
			var text bytes.Buffer
			page.begin(&text)
			for _, section := range append([]*cobra.Command{cmd.Root()}, cmd.Root().Commands()...) {
				if !section.Hidden {
					page.command(&text, section)
				}
			}
			page.end(&text)
			_, err := text.WriteTo(w)
			return err
		})
	}
	return cmd
}

// page is a form of the reference.
type page struct {
	begin   func(*bytes.Buffer)
	command func(*bytes.Buffer, *cobra.Command)
	end     func(*bytes.Buffer)
}

var (
	markdownPage = page{
		begin: func(b *bytes.Buffer) {
			b.WriteString("# The command line\n\nWhat `mallard help` prints, in one place: `mallard manual` writes " +
				"this page.\n")
		},
		command: markdownCommand,
		end:     func(*bytes.Buffer) {},
	}
	manPage = page{
		begin: func(b *bytes.Buffer) {
			b.WriteString(".TH MALLARD 1\n.SH NAME\nmallard \\- say exactly what a Java program allocates, and where\n")
		},
		command: manCommand,
		end: func(b *bytes.Buffer) {
			b.WriteString(".SH \"EXIT STATUS\"\n" +
				"0; 1 for a failure; 2 for a command line that cannot be carried out.\n" +
				".B mallard run\npasses on the exit status of its program; 127: command not found, 126: not " +
				"executable.\n")
		},
	}
)

func markdownCommand(b *bytes.Buffer, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n", cmd.CommandPath())
	if usage := usageLine(cmd); usage != "" {
		fmt.Fprintf(b, "\n```text\n%s\n```\n", usage)
	}
	for _, paragraph := range strings.Split(cmd.Long, "\n\n") {
		if isTable(paragraph) {
			paragraph = "```text\n" + paragraph + "\n```"
		}
		fmt.Fprintf(b, "\n%s\n", paragraph)
	}
	if flags := flagsText(cmd.LocalFlags()); flags != "" {
		fmt.Fprintf(b, "\n```text\n%s```\n", flags)
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", unindented(cmd.Example))
	}
}

func manCommand(b *bytes.Buffer, cmd *cobra.Command) {
	title := "DESCRIPTION"
	if cmd.HasParent() {
		title = strings.ToUpper(cmd.Name())
	}
	fmt.Fprintf(b, ".SH \"%s\"\n", title)
	if usage := usageLine(cmd); usage != "" {
		fmt.Fprintf(b, ".B %s\n", roff(usage))
	}
	for _, paragraph := range strings.Split(cmd.Long, "\n\n") {
		paragraph = roff(paragraph)
		if isTable(paragraph) {
			paragraph = ".nf\n" + paragraph + "\n.fi"
		}
		fmt.Fprintf(b, ".PP\n%s\n", paragraph)
	}
	if flags := flagsText(cmd.LocalFlags()); flags != "" {
		fmt.Fprintf(b, ".PP\n.nf\n%s.fi\n", roff(flags))
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, ".PP\n.nf\n%s\n.fi\n", roff(cmd.Example))
	}
}

// isTable tells a paragraph whose lines and columns are to stay as they are.
func isTable(paragraph string) bool { return strings.Contains(paragraph, "  ") }

// unindented takes the margin of help texts off.
func unindented(text string) string {
	return strings.ReplaceAll("\n"+text, "\n  ", "\n")[1:]
}

// roff escapes what the manual's formatter would take for its own.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	text = strings.ReplaceAll("\n"+text, "\n.", "\n\\&.")
	return strings.ReplaceAll(text, "\n'", "\n\\&'")[1:]
}
