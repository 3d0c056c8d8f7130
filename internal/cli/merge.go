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
		Long: `Combine several recordings into one: of the JVMs that a command started, of many
machines, or of many runs. Sites, contexts, threads and totals are added up. "report",
"export", "diff", "check" and "source" read the result like any other recording.
"report FILE..." and "export FILE..." add up in the same way without writing a file.

Sites and methods are the same if their names, positions and types are, apart from the
numbers that the JVM gives to lambdas and generated classes. Class loaders are not told
apart, as each JVM numbers them differently. The result knows which program allocated
what ("report --by program"), and the losses of each recording, with the name of its
file.

What has a meaning in one JVM only is left out: times (snapshots, collections and other
events), the heap, copies, and the check of constructors. Contexts and bytecodes are
kept if all of the recordings have them. A merged recording can be merged again.`,
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
