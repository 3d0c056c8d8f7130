package profile

import (
	"slices"

	"mallard/internal/trace"
)

// lossList is what the recording says it lacks, and what folding finds missing.
type lossList struct{ counts map[lossKey]uint64 }

type lossKey struct{ kind, detail string }

func (f *lossList) take(record trace.Record) {
	switch r := record.(type) {
	case *trace.Loss:
		f.lose(r.Kind, r.Count, r.Detail)
	case *trace.EventsLost:
		f.loseEvents(r)
	}
}

// lose adds to a loss; equal ones become one line.
func (f *lossList) lose(kind string, count uint64, detail string) {
	f.counts[lossKey{kind, detail}] += count
}

// hasLost reports whether something of one of the kinds is lost.
func (f *lossList) hasLost(kinds ...string) bool {
	for key := range f.counts {
		if slices.Contains(kinds, key.kind) {
			return true
		}
	}
	return false
}

// loseEvents adds what an event ring had no room for. That its producer recorded less for a while is a loss as well.
func (f *lossList) loseEvents(r *trace.EventsLost) {
	detail := "events for which a ring had no room: the recorder did not read as fast as they came"
	if r.Reason != "" {
		detail = "events: " + r.Reason
	}
	var lost uint64
	for _, c := range r.Counts {
		lost += c.Records
	}
	if lost > 0 || r.Reason != "" {
		f.lose("events", lost, detail)
	}
	if r.Level > r.LevelThen {
		f.lose("detail", 1, "times that "+r.Less+" for a while: the recorder did not read as fast as they came")
	}
}
