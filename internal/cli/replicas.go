package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/heap"
	"mallard/internal/observe/collections"
	"mallard/internal/profile"
	"mallard/internal/replica"
)

// replicaForm is a form of answers about copies.
type replicaForm = option[func(*export.ReplicaReport, io.Writer) error]

func (p *program) replicasCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "replicas FILE",
		Short: "Print which objects are copies of others, and what doing without them would save",
		Long: `Print which objects of a program ("mallard run --track replicas") are copies of others:
of the same class, allocated by the same site, with equal contents at the first
collection after their birth. Contents are all fields or elements, and the length of an
array. References are compared by identity or, with "run --deep N", by contents, N
levels deep.

Saved bytes is what the program would save with a single object for each contents.
Groups is the number of different contents, Largest the number of objects in the
largest group. Died% is the share of the site's objects, copies or not, that the first
collection found dead. What has come through a first young collection is compared again,
with the contents that it has by then: of that, Lived copies% are copies.

--sort long lists copies that live long first (intern them): Saved long is what would be
saved of objects that come through their first collection. --sort young lists those that
die young (hoist the allocation): Saved young is what would be saved of the others that
the first collection finds dead. Finding suggests a change where 60 % or more are
copies and 1 % or more of all bytes would be saved. Mallard does not know whether the
program changes an object later: look at the code before you share it.

A site with more than 4,096 different contents in one collection, or too many in all,
is estimated from a sample of groups, though frequent ones are always counted. The
column "One of" (in JSON "estimated") gives the size of the sample.

Widths in --format pprof and html (a flame graph) are what would be saved.

--show-values prints the contents of objects from the three largest groups of each row,
or, of samples, of those that most pairs of copies had, and in how many pairs: fields,
first elements of arrays, strings. It needs "run --show-values". References are
followed one level, or as deep as they were compared.

--sampled uses the few objects that were watched with "run --replicas sampled": pairs
of objects of one site and length are compared where the same code reads both. Theta is
the share of pairs that were equal, with its 95 % interval; omega and gamma are bounds
for the share of the largest group of equal objects (OJXPerf). Finding tells copies
from objects of which only the parts that are read are equal. Widths of its flame graph
are reads of copies; pprof has these and all reads, with what is read in the labels
class and site.`,
		Example: `  mallard replicas copies.mallard
  mallard replicas copies.mallard --sort young --top 5
  mallard replicas copies.mallard --by class --class 'java.lang.*' --format csv
  mallard replicas copies.mallard --exact --format json
  mallard replicas values.mallard --show-values --top 3
  mallard replicas copies.mallard --format html -o copies.html`,
		Args:        oneRecording,
		Annotations: firstIsRecording,
	}
	flags := cmd.Flags()
	by := addChoice(cmd, "by", "what rows are told apart by, besides by class",
		option[heap.By]{"site", heap.BySite},
		option[heap.By]{"class", heap.ByClass},
		option[heap.By]{"context", heap.ByContext})
	sort := addChoice(cmd, "sort", "what puts rows in order, largest first: what would be saved, in bytes or objects, "+
		"or of what lives long or dies young; of samples, bytes, or reads of copies",
		option[replica.Sort]{"bytes", replica.SortSaved}, option[replica.Sort]{"objects", replica.SortObjects},
		option[replica.Sort]{"long", replica.SortLong}, option[replica.Sort]{"young", replica.SortYoung},
		option[replica.Sort]{"accesses", replica.SortReads})
	top := flags.Int("top", 0, fmt.Sprintf("print the first `N` rows, 0 for all (default %d in text, else all)",
		textRows))
	class := flags.String("class", "", "only classes whose name matches `PATTERN`, e.g. 'java.util.*' or 'byte[]'")
	exact := flags.Bool("exact", false,
		"answer from contents of all objects, as \"run --replicas exact\" records them; the default if it did")
	sampled := flags.Bool("sampled", false, "answer from samples, as \"run --replicas sampled\" records them")
	values := flags.Bool("show-values", false, "print what some objects of the largest groups, or of sampled pairs, "+
		"have in them, as \"run --show-values\" records it: the program's data; in text and JSON")
	format := addChoice(cmd, "format", "form of the answer",
		replicaForm{"text", (*export.ReplicaReport).Text},
		replicaForm{"json", (*export.ReplicaReport).JSON},
		replicaForm{"csv", (*export.ReplicaReport).CSV},
		replicaForm{"pprof", (*export.ReplicaReport).Pprof},
		replicaForm{"html", (*export.ReplicaReport).Page})
	verbose := flags.BoolP("verbose", "v", false, "print all there is to say about the numbers above them")
	destination := addDestination(cmd)
	completeFlag(cmd, "top", nil)
	completeFlag(cmd, "class", nil)
	p.bound.addFlag(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		switch {
		case *top < 0:
			return usagef("--top %d: a number of rows is 0 or more", *top)
		case *sampled && *exact:
			return usagef("--sampled and --exact are two answers; choose one")
		case *values && format.word != "text" && format.word != "json":
			return usagef("--show-values: contents are in text and json")
		}
		if !flags.Changed("top") && format.word == "text" {
			*top = textRows
		}
		fromSamples := func() error {
			q := replica.SampledQuery{ByContext: by.value == heap.ByContext, ByReads: sort.value == replica.SortReads,
				Top: *top, Class: *class}
			if by.value == heap.ByClass || sort.value != replica.SortSaved && !q.ByReads {
				return usagef("of samples rows are by site or context, sorted by bytes or accesses")
			}
			return p.sampled(args[0], format.word, *verbose, *values, q, destination)
		}
		if *sampled {
			return fromSamples()
		}
		output, err := destination.name(p, format.word, args[0])
		if err != nil {
			return err
		}
		r, totals, err := p.openReplicas(args[0])
		switch {
		case errors.Is(err, errOnlySamples) && !*exact:
			return fromSamples()
		case err != nil:
			return err
		case sort.value == replica.SortReads:
			return usagef("--sort accesses: who reads is known of samples only, --sampled")
		}
		none := r.checkClass("class", *class)
		if none != nil && format.word != "json" && format.word != "csv" {
			return none
		}
		report, err := r.replicas(totals, by.value, replica.Query{Sort: sort.value, Top: *top, Class: *class})
		if err != nil {
			return err
		}
		if *values {
			if !totals.HasValues() {
				return noValues(args[0])
			}
			report.ShowValues()
		}
		write := format.value
		if *verbose && format.word == "text" {
			write = (*export.ReplicaReport).VerboseText
		}
		err = destination.write(p, output, func(w io.Writer) error { return write(report, w) }, r.recording)
		return cmp.Or(err, none)
	}
	return cmd
}

// sampledForm is a form of answers about copies from samples.
type sampledForm = func(*export.SampledReport, io.Writer) error

// sampledForms are those that there are.
var sampledForms = map[string]sampledForm{
	"text": (*export.SampledReport).Text, "json": (*export.SampledReport).JSON,
	"csv": (*export.SampledReport).CSV, "html": (*export.SampledReport).Page,
	"pprof": (*export.SampledReport).Pprof,
}

// openSamples reads a recording with samples; none where it has none.
func (p *program) openSamples(name string) (*recording, *replica.Samples, error) {
	events := profile.Events{replica.Observer: nil}
	r, err := p.open(name, events)
	if err != nil {
		return nil, nil, err
	}
	return r, replica.ReadSamples(events[replica.Observer]), nil
}

// noValues says that a recording has no contents.
func noValues(name string) error {
	return fmt.Errorf(`%s has no contents of objects; "mallard run --track replicas --show-values" records some`, name)
}

// sampled writes what samples say, in a form.
func (p *program) sampled(name, form string, verbose, values bool, q replica.SampledQuery, to *destination) error {
	write := sampledForms[form]
	if verbose && form == "text" {
		write = (*export.SampledReport).VerboseText
	}
	output, err := to.name(p, form, name)
	if err != nil {
		return err
	}
	r, samples, err := p.openSamples(name)
	if err != nil {
		return err
	}
	if samples == nil {
		return fmt.Errorf(`%s has no samples of copies; "mallard run --track replicas --replicas sampled" records `+
			"them", name)
	}
	report := export.NewSampledReport(r.name, r.profile, samples.Ask(r.profile, q))
	if values {
		if !samples.HasValues() {
			return noValues(name)
		}
		report.ShowValues()
	}
	return to.write(p, output, func(w io.Writer) error { return write(report, w) }, r)
}

var errOnlySamples = errors.New("has samples of copies only; --sampled answers from them")

// openReplicas reads a recording.
func (p *program) openReplicas(name string) (*heapRecording, *replica.Totals, error) {
	reading, events := heap.NewReading(false), profile.Events{collections.Name: nil, replica.Observer: nil}
	opened, err := p.open(name, reading, events)
	if err != nil {
		return nil, nil, err
	}
	if opened.profile.Process == nil || !slices.Contains(opened.profile.Process.Track, replica.Observer) {
		return nil, nil, fmt.Errorf(`%s was recorded without copies; "mallard run --track replicas" records them`,
			name)
	}
	if !slices.Contains(opened.profile.Process.Track, heap.Observer) {
		return nil, nil, fmt.Errorf("%s %w", name, errOnlySamples)
	}
	r, err := newHeapRecording(opened, reading, events)
	if err != nil {
		return nil, nil, err
	}
	totals := replica.Read(events[replica.Observer])
	if totals == nil {
		return nil, nil, fmt.Errorf("%s has no totals of copies: they are recorded at the JVM's end, "+
			"and after a minute", name)
	}
	totals.Choose(r.history, r.profile)
	return r, totals, nil
}

// replicas answers by class, site or context.
func (r *heapRecording) replicas(totals *replica.Totals, by heap.By, q replica.Query) (*export.ReplicaReport, error) {
	if by == heap.ByClass {
		return export.NewReplicaReport(r.name, r.profile, r.history, nil, false, totals.Ask(r.history, q)), nil
	}
	asked := heap.Query{By: []heap.By{by}}
	if err := r.tellApart(&asked, nil); err != nil {
		return nil, err
	}
	return export.NewReplicaReport(r.name, r.profile, r.history, asked.Counts, by == heap.ByContext,
		totals.Ask(r.history, q)), nil
}
