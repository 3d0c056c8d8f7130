package cli

import (
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/observe/collections"
	"mallard/internal/observe/registry"
	"mallard/internal/profile"
	"mallard/internal/top"
	"mallard/internal/trace"
)

func (p *program) topCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "top FILE|PID",
		Short: "Show what a running program allocates at the moment",
		Long: `Show what a running program is allocating, as top does for processors: objects and
bytes per second over the last --window, by site, class, method, thread, transaction or
context, updated every --every. FILE is a recording that "mallard run" is writing, PID
the process id of its JVM.

Keys: b and B change what a row stands for, s changes the order, / starts a filter
(part of a name, or a pattern), p or space pauses and resumes, q quits.

Figures are as old as the last snapshot: up to a second, with contexts two or three;
"mallard run --snapshots 100ms" takes more. If the output is not a terminal, or with
--once, the table is printed once. For a recording that has ended it covers the whole
run.`,
		Example: `  mallard top --by class app.mallard
  mallard top --once --by thread app.mallard`,
		Args:        oneRecording,
		Annotations: firstIsRecording,
	}
	flags := cmd.Flags()
	by := addBy(cmd)
	sort := addChoice(cmd, "sort", "sort rows by this, largest first", sorts...)
	every := flags.Duration("every", 2*time.Second, "read it again after this `TIME`")
	window := flags.Duration("window", 5*time.Second, "the last `TIME`, from snapshot to snapshot")
	once := flags.Bool("once", false, "print it once")
	count := flags.Int("top", textRows, "with --once: print the first `N` rows, 0 for all")
	completeFlag(cmd, "every", []string{"1s", "5s"})
	completeFlag(cmd, "window", []string{"5s", "30s"})
	completeFlag(cmd, "top", nil)
	filter := addFilters(cmd)
	p.bound.addFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case *every < 100*time.Millisecond:
			return usagef("--every: %v is less than 100ms", *every)
		case *window <= 0:
			return usagef("--window: %v is not a time above 0, such as 5s", *window)
		case *count < 0:
			return usagef("--top: %d is not a number of rows, 0 or more", *count)
		case by.value == profile.ByCaller:
			return usagef("--by caller is not among what top shows")
		}
		name := args[0]
		report, err := p.rates(name, *window)
		if err != nil {
			return err
		}
		needsContexts := by.value == profile.ByContext || by.value == profile.ByTransaction
		if needsContexts || asksForContexts(filter) {
			if err := hasContexts(&recording{name: name, profile: report.Profile}); err != nil {
				return err
			}
		}
		query := profile.Query{By: by.value, Sort: sort.value, Filter: *filter}
		if *once || !isTerminal(p.Stdout) || !isTerminal(p.Stdin) {
			query.Top = *count
			report.Answer = report.Profile.Rows(query)
			return p.print(report.Text)
		}
		return top.Run(cmd.Context(), top.Options{
			First: report,
			Read:  func() (*export.RatesReport, error) { return p.rates(name, *window) },
			Every: *every, Query: query, Paint: os.Getenv("NO_COLOR") == "",
		}, p.Stdin, p.Stdout)
	}
	return cmd
}

// rates reads what was allocated last; of a recording that has ended all.
func (p *program) rates(name string, window time.Duration) (*export.RatesReport, error) {
	r := &export.RatesReport{File: name}
	events := profile.Events{collections.Name: nil}
	var info os.FileInfo
	err := p.withFile(name, func(file *trace.File) error {
		end, err := file.End()
		if err != nil {
			return err
		}
		from := max(0, time.Duration(end)-window)
		r.Profile, err = profile.FoldSpan(file, profile.Span{From: from}, events)
		var none *trace.NoSnapshot
		if errors.As(err, &none) { // those of contexts are rarer
			events = profile.Events{collections.Name: nil}
			r.Profile, err = profile.FoldSpan(file, profile.Span{From: max(0, from-window)}, events)
		}
		if err == nil && r.Profile.Ended() && from > 0 {
			events = profile.Events{collections.Name: nil}
			r.Profile, err = profile.FoldSpan(file, profile.Span{}, events)
		}
		return err
	}, &info)
	if err != nil {
		return nil, err
	}
	r.Ended = r.Profile.Ended()
	opened := &recording{name: name, profile: r.Profile, events: events}
	for _, q := range registry.New().Questions() {
		if q.Observer == collections.Name && observed(r.Profile, &q) {
			r.Collections = opened.eventTable(&q)
		}
	}
	return r, nil
}
