package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/observe"
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
			return nil, usagef("--%s and --%s are reports of their own", chosen.Name, q.list[i].Name)
		}
		chosen = &q.list[i]
		for _, name := range others {
			if cmd.Flags().Changed(name) {
				return nil, usagef("--%s is about what was allocated, --%s is not", name, chosen.Name)
			}
		}
	}
	return chosen, nil
}

// observed reports whether a recording has what a question is about.
func observed(p *profile.Profile, q *observe.Question) bool {
	return p.Process != nil && slices.Contains(p.Process.Track, q.Observer)
}

// chronicle reads a recording again for the answer to a question.
func (p *program) chronicle(r *recording, q *observe.Question) (*profile.Chronicle, error) {
	file, info, err := openFile(r.name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	progress := p.progress(info.Size(), "reading "+r.name+" again")
	defer progress.Close()
	events, err := profile.EventsOf(io.TeeReader(file, progress), q.Observer)
	if err != nil {
		return nil, fileError(r.name, err)
	}
	return q.Answer(r.profile.Process, events).Within(r.profile.Span), nil
}

// chronicles reads a recording again for what observers saw happen in it.
func (p *program) chronicles(r *recording) (list []*profile.Chronicle, err error) {
	for _, q := range registry.New().Questions() {
		if !observed(r.profile, &q) {
			continue
		}
		c, err := p.chronicle(r, &q)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// reportQuestion prints the answer to a question.
func (p *program) reportQuestion(r *recording, q *observe.Question, format string) error {
	if !observed(r.profile, q) {
		return fmt.Errorf(`%s was recorded without %s; "mallard run --track %[2]s" records it`, r.name, q.Observer)
	}
	c, err := p.chronicle(r, q)
	if err != nil {
		return err
	}
	report := &export.ChronicleReport{File: r.name, By: q.Name, Profile: r.profile, Chronicle: c}
	write := map[string]func(io.Writer) error{"text": report.Text, "json": report.JSON, "csv": report.CSV}[format]
	return p.print(write)
}
