package cli

import (
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"mallard/internal/heap"
	"mallard/internal/observe/collections"
	"mallard/internal/profile"
	"mallard/internal/top"
	"mallard/internal/trace"
)

func (p *program) topCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "top FILE|PID",
		Short: "Show what a running program allocates at the moment",
		Long: `Show what a running program allocates, as top shows processes: objects and bytes per
second over the last --window, by site, class, method, thread, transaction, context or
line of your own code (caller). FILE is a recording that "mallard run" is writing; PID
is the process ID of the JVM. The recording is read again every --every.

--by caller has a row for each line of your own code that led to allocations, as in
"mallard report". Your code is what --mine names, or what "mallard report" assumes.

--heap shows the classes in the heap instead, for recordings with objects ("run --track
objects"): objects and bytes that the last collection left, and how many more these are
than the collection before it left. What a collection left is known at the next one.
--sort growth shows the classes that grew, those that grew most first.

The header has the collections in the window where they are recorded ("run --track gc"):
how many, the pauses, and the heap before and after the last one.

Keys:

  b, B      what a row stands for: the next, the one before
  s         sort by bytes or objects
  h         classes in the heap, and back
  g         in the heap: the classes that grew, and back
  /         filter: part of a name, or a pattern as for the filter flags
  p, space  pause, and go on
  q         quit

Figures are as old as the last snapshot: up to a second, with contexts two or three;
"mallard run --snapshots 100ms" takes more. If the output is not a terminal, or with
--once, the table is printed once. For a recording that has ended it covers the whole
run.`,
		Example: `  mallard top --by class app.mallard
  mallard top --once --by thread app.mallard
  mallard top --mine 'demo.*' app.mallard
  mallard top --heap --sort growth objects.mallard`,
		Args:        oneRecording,
		Annotations: firstIsRecording,
	}
	flags := cmd.Flags()
	by := addBy(cmd)
	sort := addChoice(cmd, "sort", "sort rows by this, largest first; growth needs --heap",
		option[topSort]{"bytes", topSort{profile.SortBytes, false}},
		option[topSort]{"objects", topSort{profile.SortObjects, false}},
		option[topSort]{"growth", topSort{profile.SortBytes, true}})
	ofHeap := flags.Bool("heap", false, "show classes in the heap; needs a recording with objects")
	every := flags.Duration("every", 2*time.Second, "read it again after this `TIME`")
	window := flags.Duration("window", 5*time.Second, "the last `TIME`, from snapshot to snapshot")
	once := flags.Bool("once", false, "print it once")
	count := flags.Int("top", textRows, "with --once: print the first `N` rows, 0 for all")
	own := flags.String("mine", "", "lines of your own code, which is these `CLASSES`, e.g. 'org.foo.*', or auto; "+
		"with --by context all other code is folded")
	completeFlag(cmd, "every", []string{"1s", "5s"})
	completeFlag(cmd, "window", []string{"5s", "30s"})
	completeFlag(cmd, "top", nil)
	completeFlag(cmd, "mine", []string{mineAuto})
	filter := addFilters(cmd)
	p.bound.addFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *own != "" && !flags.Changed("by") {
			by.value = profile.ByCaller
		}
		switch {
		case *every < 100*time.Millisecond:
			return usagef("--every: %v is less than 100ms", *every)
		case *window <= 0:
			return usagef("--window: %v is not a time above 0, such as 5s", *window)
		case *count < 0:
			return usagef("--top: %d is not a number of rows, 0 or more", *count)
		case *own != "" && by.value != profile.ByCaller && by.value != profile.ByContext:
			return usagef("--mine needs --by caller or context")
		case sort.value.growth && !*ofHeap:
			return usagef("--sort growth needs --heap")
		}
		for _, other := range []string{"by", "mine", "method", "under", "thread", "transaction"} {
			if *ofHeap && flags.Changed(other) {
				return usagef("--%s cannot be combined with --heap", other)
			}
		}
		name := args[0]
		reading, err := p.rates(name, *window)
		if err != nil {
			return err
		}
		opened := &recording{name: name, profile: reading.Profile}
		needsContexts := by.value == profile.ByContext || by.value == profile.ByTransaction
		if needsContexts || asksForContexts(filter) {
			if err := hasContexts(opened); err != nil {
				return err
			}
		}
		if *ofHeap && reading.History == nil {
			return withoutObjects(name)
		}
		query := profile.Query{By: by.value, Sort: sort.value.by, Filter: *filter, Mine: opened.mine(*own)}
		if *once || !isTerminal(p.Stdout) || !isTerminal(p.Stdin) {
			query.Top = *count
			return p.print(reading.Report(query, *ofHeap, sort.value.growth).Text)
		}
		return top.Run(cmd.Context(), top.Options{
			First: reading,
			Read:  func() (*top.Reading, error) { return p.rates(name, *window) },
			Every: *every, Query: query, Heap: *ofHeap, ByGrowth: sort.value.growth,
			Paint: os.Getenv("NO_COLOR") == "",
		}, p.Stdin, p.Stdout)
	}
	return cmd
}

// topSort is what rows are sorted by.
type topSort struct {
	by     profile.Sort
	growth bool // of what is in the heap, how much it has grown
}

// rates reads what was allocated last, and what became of the heap; of a recording that has ended all.
func (p *program) rates(name string, window time.Duration) (*top.Reading, error) {
	r := &top.Reading{}
	r.File = name
	var pauses profile.Events
	var objects *heap.Reading
	var info os.FileInfo
	err := p.withFile(name, func(file *trace.File) error {
		end, err := file.End()
		if err != nil {
			return err
		}
		read := func(from time.Duration) error {
			reader, err := file.From(int64(from))
			if err != nil {
				return err
			}
			pauses, objects = profile.Events{collections.Name: nil}, heap.NewReading(reader.IsAtKeyframe())
			r.Profile, err = profile.FoldSpan(reader, profile.Span{From: from}, pauses, objects)
			return err
		}
		from := max(0, time.Duration(end)-window)
		err = read(from)
		var none *trace.NoSnapshot
		if errors.As(err, &none) { // those of contexts are rarer
			err = read(max(0, from-window))
		}
		if err == nil && r.Profile.Ended() && from > 0 {
			err = read(0)
		}
		return err
	}, &info)
	if err != nil {
		return nil, err
	}
	r.Ended = r.Profile.Ended()
	r.Collections = (&recording{profile: r.Profile, events: pauses}).collections()
	if tracksObjects(r.Profile) {
		r.History = objects.History()
		r.History.NameLoaders(loadersOf(r.Profile))
	}
	return r, nil
}
