package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/observe"
	"mallard/internal/observe/collections"
	"mallard/internal/observe/registry"
	"mallard/internal/profile"
)

// questions are the flags of report for what observers saw happen.
type questions struct {
	list  []observe.Question
	asked []*bool
}

// addQuestions gives a command a flag for each question.
func addQuestions(cmd *cobra.Command) *questions {
	q := &questions{list: registry.New().Questions()}
	for _, question := range q.list {
		q.asked = append(q.asked, cmd.Flags().Bool(question.Name, false, question.Help))
	}
	return q
}

// chosen gives the question that is asked; nil for none. Flags about what was allocated do not go with one.
func (q *questions) chosen(cmd *cobra.Command, others ...string) (chosen *observe.Question, err error) {
	for i := range q.list {
		if !*q.asked[i] {
			continue
		}
		if chosen != nil {
			return nil, usagef("--%s and --%s cannot be combined", chosen.Name, q.list[i].Name)
		}
		chosen = &q.list[i]
		for _, name := range others {
			if cmd.Flags().Changed(name) {
				return nil, usagef("--%s cannot be combined with --%s", name, chosen.Name)
			}
		}
	}
	return chosen, nil
}

// observed reports whether a recording has what a question is about.
func observed(p *profile.Profile, q *observe.Question) bool {
	return p.Process != nil && slices.Contains(p.Process.Track, q.Observer)
}

// eventsFor are the events that questions are about, to be read with the recording.
func eventsFor(list ...observe.Question) profile.Events {
	events := profile.Events{}
	for _, q := range list {
		events[q.Observer] = nil
	}
	return events
}

// eventTable answers a question, whose events were read with the recording.
func (r *recording) eventTable(q *observe.Question) *profile.EventTable {
	return q.Answer(r.profile.Process, r.events[q.Observer]).Within(r.profile.Span)
}

// collections is the table of garbage collections, of all that was read; nil where they were not recorded.
func (r *recording) collections() *profile.EventTable {
	for _, q := range registry.New().Questions() {
		if q.Observer == collections.Name && observed(r.profile, &q) {
			return q.Answer(r.profile.Process, r.events[q.Observer])
		}
	}
	return nil
}

// eventTables has the tables of all observers that record events.
func (r *recording) eventTables() (list []*profile.EventTable) {
	for _, q := range registry.New().Questions() {
		if observed(r.profile, &q) {
			list = append(list, r.eventTable(&q))
		}
	}
	return list
}

// reportQuestion prints the answer to a question.
func (p *program) reportQuestion(r *recording, q *observe.Question, format string, verbose bool) error {
	if !observed(r.profile, q) {
		return fmt.Errorf(`%s was recorded without %s; "mallard run --track %[2]s" records it`, r.name, q.Observer)
	}
	report := &export.EventReport{File: r.name, By: q.Name, Profile: r.profile, Table: r.eventTable(q),
		Verbose: verbose}
	write := map[string]func(io.Writer) error{"text": report.Text, "json": report.JSON, "csv": report.CSV}[format]
	return p.print(write)
}
