package cli

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/observe/registry"
	"mallard/internal/profile"
)

func (p *program) exportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export FILE... --format pprof|collapsed|html|json|parquet|jfr",
		Short: "Write a recording for other tools: pprof, flame graphs, databases, scripts",
		Long: `Write a recording in a form that other tools read.

pprof      for "go tool pprof": alloc_objects/count and alloc_space/bytes. Labels are
           "class" (the allocated type), "thread" and "transaction" (the innermost
           one); "go tool pprof -tagleaf=class" and "-tagroot=thread" show them as
           frames.
collapsed  for flame graph tools: a line for each stack, with objects or bytes.
html       a flame graph in one page for a browser, which loads nothing else: objects
           or bytes, zoom, search, inverted view. Code that is not yours can be
           folded, and opened by a click. --mine says what is yours.
json       a row for each context and thread, or for each site and thread, as
           "mallard report" writes them.
parquet    the same rows as a table (Apache Parquet) for DuckDB, ClickHouse, Spark and
           others, with columns for the program, when it ran, and --label, so that
           files of many machines form one table. docs/fleet.md has the columns and
           some queries.
jfr        a JDK Flight Recorder file for JDK Mission Control and "jfr print": an
           event jdk.ObjectAllocationSample for each of these rows. Its weight is
           all the bytes, not a sample's; the number of objects is beside it.

Several recordings are added up, as by "mallard merge".

Stacks are complete in recordings with contexts. In others they consist of the method
that has the site.

Large recordings have more frames than anybody reads. What is below 0.1 % of the objects
and of the bytes is combined in one frame ` + profile.Omitted + ` below its caller, so
that all other frames keep their exact numbers. --min changes the limit, --all turns
this off. How much was combined is printed.

Without -o, text forms are written to standard output. So are pprof, parquet and jfr if
that is a pipe or a file; on a terminal they are written to FILE with the extension
` + pprofExtension + `, .parquet or .jfr.`,
		Example: `  mallard export app.mallard --format pprof -o app.pb.gz
  mallard export app.mallard --format collapsed --sort bytes --threads -o app.txt
  mallard export app.mallard --format html -o app.html
  mallard export app.mallard --format json --thread main
  mallard export app.mallard --format jfr -o app.jfr
  mallard export app.mallard --format parquet --label host=web1 -o web1.parquet`,
		Args:        someRecordings,
		Annotations: allAreRecordings,
	}
	format := addRequiredChoice(cmd, "format", "form of the output",
		exportFormat{"pprof", (*exporter).pprof},
		exportFormat{"collapsed", (*exporter).collapsed},
		exportFormat{"html", (*exporter).html},
		exportFormat{"json", (*exporter).json},
		exportFormat{"parquet", (*exporter).parquet},
		exportFormat{"jfr", (*exporter).jfr})
	flags := cmd.Flags()
	destination := addDestination(cmd)
	sort := addChoice(cmd, "sort", "what the numbers of collapsed stacks count", sorts[1], sorts[0])
	threads := flags.Bool("threads", false, "begin collapsed stacks with the thread")
	lines := flags.Bool("lines", false, "add line numbers to the frames of collapsed stacks")
	share := percentage(exportShare)
	flags.Var(&share, "min", "combine what is less than this `PERCENT` of the whole in frames "+profile.Omitted+
		"; pprof, collapsed, html")
	all := flags.Bool("all", false, "keep everything apart, the same as --min 0")
	completeFlag(cmd, "min", nil)
	own := flags.String("mine", "", "your own code is these `CLASSES`, e.g. 'org.foo.*', or auto; the page begins "+
		"with all other code folded")
	completeFlag(cmd, "mine", []string{mineAuto})
	labels := addLabels(cmd, "what the rows of parquet say of the recording, e.g. host=web1; may be repeated")
	filter := addFilters(cmd)
	span := addSpan(cmd, "allocated", snapshotBounds)
	p.bound.addFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if format.word == "" {
			return usagef("missing flag: --format %s", format.Type())
		}
		for _, name := range []string{"sort", "threads", "lines"} {
			if flags.Changed(name) && format.word != "collapsed" {
				return usagef("--%s needs --format collapsed", name)
			}
		}
		for _, name := range []string{"min", "all"} {
			if flags.Changed(name) && !slices.Contains([]string{"pprof", "collapsed", "html"}, format.word) {
				return usagef("--%s needs --format pprof, collapsed or html", name)
			}
		}
		if len(labels) > 0 && format.word != "parquet" {
			return usagef("--label needs --format parquet")
		}
		if *own != "" && format.word != "html" {
			return usagef("--mine needs --format html")
		}
		if *all {
			share = 0
		}
		output, err := destination.name(p, format.word, args[0])
		if err != nil {
			return err
		}
		if err := span.check(); err != nil {
			return err
		}
		var events profile.Events
		if format.word == "html" {
			events = eventsFor(registry.New().Questions()...)
		}
		recording, err := p.openAll(args, span, events)
		if err != nil {
			return err
		}
		if asksForContexts(filter) {
			if err := hasContexts(recording); err != nil {
				return err
			}
		}
		if err := recording.checkFilter(filter); err != nil {
			return err
		}
		p.sayUnmatched(recording, filter)
		mine := recording.mine(*own)
		if mine != nil {
			if err := recording.checkMine(mine); err != nil {
				return err
			}
		}
		e := &exporter{p, recording, mine, labels, export.Collapsed{Sort: sort.value, Threads: *threads, Lines: *lines,
			Filter: *filter, Min: float64(share)}}
		return destination.write(p, output, func(w io.Writer) error { return format.value(e, w) }, recording)
	}
	return cmd
}

// exporter writes one recording.
type exporter struct {
	*program
	*recording
	own     *profile.Mine
	labels  labels
	options export.Collapsed
}

// exportFormat is a form of exports.
type exportFormat = option[func(*exporter, io.Writer) error]

func (e *exporter) pprof(w io.Writer) error {
	omitted, err := export.Pprof(w, e.name, e.profile, e.options.Filter, e.options.Min)
	e.sayOmitted(omitted)
	return err
}

func (e *exporter) json(w io.Writer) error {
	return export.Samples(w, e.name, e.profile, e.options.Filter)
}

func (e *exporter) parquet(w io.Writer) error {
	return export.Parquet(w, e.name, e.profile, e.options.Filter, e.labels)
}

func (e *exporter) jfr(w io.Writer) error { return export.JFR(w, e.profile, e.options.Filter) }

func (e *exporter) html(w io.Writer) error {
	omitted, err := export.Flamegraph(w, e.name, e.profile, e.options.Filter, e.options.Min, e.own,
		e.eventTables())
	e.sayOmitted(omitted)
	return err
}

func (e *exporter) collapsed(w io.Writer) error {
	omitted, negative, err := e.options.Write(w, e.profile)
	e.sayOmitted(omitted)
	if negative > 0 {
		e.say("%d stacks without a positive count were left out", negative)
	}
	return err
}

// sayOmitted says how much is not kept apart.
func (e *exporter) sayOmitted(omitted profile.Amount) {
	if !omitted.IsZero() {
		e.say("%s; --all keeps them apart", export.OmittedText(omitted, e.profile.Selected(e.options.Filter),
			e.options.Min))
	}
}
