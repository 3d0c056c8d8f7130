package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/profile"
)

// byContext is the word for rows that only recordings with contexts have.
const byContext = "context"

// textRows is how many rows a text report has unless told otherwise.
const textRows = 20

func (p *program) reportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Print what was allocated, by site, type, method or thread",
		Long: `Print what the program of a recording allocated.

A row stands for a site (a place in a method that allocates one type), for an
allocated type, for a method, or for a thread. Objects include arrays. Bytes
are those that the objects take on the heap, headers and alignment included.
Shares are in percent of everything recorded, before filters.

The report begins with what its numbers are of: totals, filters, losses, and
classes that could not be counted. "mallard help formats" describes the JSON
and CSV forms.`,
		Example: `  mallard report app.mallard
  mallard report app.mallard --by class --sort bytes --top 10
  mallard report app.mallard --class 'byte[]' --thread main
  mallard report app.mallard --by method --format json
  mallard report app.mallard --by thread --format csv`,
		Args:              oneRecording,
		ValidArgsFunction: completeRecording,
	}
	by := addChoice(cmd, "by", "what a row stands for",
		option[profile.By]{"site", profile.BySite},
		option[profile.By]{"class", profile.ByClass},
		option[profile.By]{"method", profile.ByMethod},
		option[profile.By]{"thread", profile.ByThread},
		option[profile.By]{word: byContext})
	sort := addChoice(cmd, "sort", "what puts rows in order, largest first", sorts...)
	format := addChoice(cmd, "format", "form of the report",
		reportFormat{"text", (*export.Report).Text},
		reportFormat{"json", (*export.Report).JSON},
		reportFormat{"csv", (*export.Report).CSV})
	top := cmd.Flags().Int("top", 0, fmt.Sprintf("print the first `N` rows, 0 for all (default %d in text, else all)", textRows))
	completeFlag(cmd, "top", nil)
	filter := addFilters(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *top < 0 {
			return usagef("--top %d: a number of rows is 0 or more", *top)
		}
		if format.word == "text" && !cmd.Flags().Changed("top") {
			*top = textRows
		}
		recording, err := p.open(args[0])
		if err != nil {
			return err
		}
		if by.word == byContext {
			return noContexts(recording)
		}
		query := profile.Query{By: by.value, Sort: sort.value, Top: *top, Filter: *filter}
		report := &export.Report{File: recording.name, Profile: recording.profile, Answer: recording.profile.Rows(query)}
		return p.print(func(w io.Writer) error { return format.value(report, w) })
	}
	return cmd
}

// reportFormat is a form of reports.
type reportFormat = option[func(*export.Report, io.Writer) error]

// sorts are the words for what is counted.
var sorts = []option[profile.Sort]{{"objects", profile.SortObjects}, {"bytes", profile.SortBytes}}

// noContexts says why a recording has no rows by context.
func noContexts(r *recording) error {
	if r.profile.Process != nil && slices.Contains(r.profile.Process.Track, "contexts") {
		return fmt.Errorf("%s has contexts, which this version of mallard does not read; use a newer one", r.name)
	}
	return fmt.Errorf("%s was recorded without contexts; choose --by site, class, method or thread", r.name)
}
