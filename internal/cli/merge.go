package cli

import (
	"io"

	"github.com/spf13/cobra"

	"mallard/internal/merge"
)

func (p *program) mergeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "merge FILE... -o OUT",
		Short: "Make one recording of several: of many JVMs, machines or runs",
		Long: `Make one recording of several: of the JVMs that one command has started, of many machines,
of many runs. Its sites, contexts, threads and totals are their sums; "report", "export",
"diff", "check" and "source" read it as any other. "report FILE..." and "export FILE..." add
up in the same way, without a file.

Sites and methods are the same where their names, places and types are, without the
numbers that the JVM gives to lambdas and generated classes. Class loaders are not told apart:
they have other numbers in each JVM. Which program allocated what is kept ("report --by
program"), and so is what each recording has lost, with the name of its file.

What has a meaning in one JVM only is left out: when things happened (snapshots,
collections and other events), the heap, copies, and what constructors say. Contexts are
kept where all of the recordings have them, and so are bytecodes. A merged recording can
be merged again.`,
		Example: `  mallard merge a1.mallard a2.mallard a3.mallard -o all.mallard
  mallard report all.mallard --by program`,
		Args:        someRecordings,
		Annotations: allAreRecordings,
	}
	flags := cmd.Flags()
	output := flags.StringP("output", "o", "", "write the recording to `OUT`")
	force := flags.Bool("force", false, "overwrite OUT if it exists")
	p.bound.addFlag(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if *output == "" || *output == stdoutName {
			return usagef("missing flag: -o OUT")
		}
		p.expectAlso(args[1:])
		var sources []merge.Source
		var opened []*recording
		for _, name := range args {
			r, err := p.open(name)
			if err != nil {
				return err
			}
			opened = append(opened, r)
			sources = append(sources, merge.Source{File: name, Profile: r.profile})
		}
		d := &destination{output: *output, force: *force}
		return d.write(p, *output, func(w io.Writer) error { return merge.Write(w, sources, buildVersion()) },
			opened...)
	}
	return cmd
}
