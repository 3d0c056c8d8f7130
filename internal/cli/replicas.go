package cli

import (
	"cmp"
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
		Long: `Print which objects of a recorded program ("mallard run --track replicas") are copies of
others: of one class, made by one site, with equal contents when the first collection
came to them. Contents are all fields or elements, and the length of an array. What an
object refers to is compared by identity, or with "run --deep N" by contents, N deep.

Saved bytes are what there would be less with one object of each contents. Groups are
different contents, Largest the objects of the largest group. Died% is the share of
the site's objects that their first collection found dead, copies or not.

--sort long has copies first that live (intern them), --sort young those that die young
(hoist what makes them). Finding says what to do about rows with 60 % of copies and more
that would save 1 % of the bytes. Whether the program changes its objects later nobody
knows: look before you share them.

A site with more than 4,096 different contents in one collection, or too many in all, is
estimated from a sample of them; frequent ones are counted all the same. Such rows have
the sample in the column "One of", and "estimated" in JSON.

--format pprof and html (a flame graph) are as wide as what would be saved.`,
		Example: `  mallard replicas copies.mallard
  mallard replicas copies.mallard --sort young --top 5
  mallard replicas copies.mallard --by class --class 'java.lang.*' --format csv
  mallard replicas copies.mallard --exact --format json
  mallard replicas copies.mallard --format html -o copies.html`,
		Args:              oneRecording,
		ValidArgsFunction: completeRecording,
	}
	flags := cmd.Flags()
	by := addChoice(cmd, "by", "what rows are told apart by, besides by class",
		option[heap.By]{"site", heap.BySite},
		option[heap.By]{"class", heap.ByClass},
		option[heap.By]{"context", heap.ByContext})
	sort := addChoice(cmd, "sort", "what puts rows in order, largest first: what would be saved, in bytes or objects, "+
		"or of what lives long or dies young",
		option[replica.Sort]{"bytes", replica.SortSaved}, option[replica.Sort]{"objects", replica.SortObjects},
		option[replica.Sort]{"long", replica.SortLong}, option[replica.Sort]{"young", replica.SortYoung})
	top := flags.Int("top", 0, fmt.Sprintf("print the first `N` rows, 0 for all (default %d in text, else all)",
		textRows))
	class := flags.String("class", "", "only classes whose name matches `PATTERN`, e.g. 'java.util.*' or 'byte[]'")
	flags.Bool("exact", false, "answer from contents of all objects, as \"run --replicas exact\" records them")
	sampled := flags.Bool("sampled", false, "answer from samples; there are none yet")
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
		case *sampled:
			return usagef("--sampled: sampling is not there yet; --exact is")
		}
		if !flags.Changed("top") && format.word == "text" {
			*top = textRows
		}
		output, err := destination.name(p, format.word, args[0])
		if err != nil {
			return err
		}
		r, totals, err := p.openReplicas(args[0])
		if err != nil {
			return err
		}
		none := r.checkClass("class", *class)
		if none != nil && format.word != "json" && format.word != "csv" {
			return none
		}
		report, err := r.replicas(totals, by.value, replica.Query{Sort: sort.value, Top: *top, Class: *class})
		if err != nil {
			return err
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
	r, err := newHeapRecording(opened, reading, events)
	if err != nil {
		return nil, nil, err
	}
	totals := replica.Read(events[replica.Observer])
	if totals == nil {
		return nil, nil, fmt.Errorf("%s has no totals of copies: they are recorded at the JVM's end, "+
			"and after a minute", name)
	}
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
