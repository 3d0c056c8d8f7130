package cli

import (
	"strconv"
	"strings"
	"time"

	"mallard/internal/heap"
	"mallard/internal/heapgraph"
	"mallard/internal/trace"
)

// moment is when a heap is asked for, as the user says it: end, gc:12, 12.5s, -10s.
type moment struct{ flag, text string }

const (
	momentEnd   = "end"
	momentStart = "start" // of --diff
	momentGC    = "gc:"
)

// check refuses what is no moment.
func (m moment) check() error {
	if m.text == momentEnd {
		return nil
	}
	if strings.HasPrefix(m.text, momentGC) {
		if _, is := m.gc(); is {
			return nil
		}
	} else if _, err := (clock{}).instant(m.flag, m.text); err == nil && m.text != "" {
		return nil
	}
	return usagef("--%s: %q is not a moment such as end, gc:12, 12.5s, -10s or 12:03", m.flag, m.text)
}

// gc is the number of the collection that the moment is behind; false if it is no collection's.
func (m moment) gc() (collection int64, is bool) {
	text, is := strings.CutPrefix(m.text, momentGC)
	if !is {
		return 0, false
	}
	number, err := strconv.ParseUint(text, 10, 32)
	return int64(number), err == nil
}

// reader begins at the last keyframe before the moment, and so much earlier, or at the beginning of the file, by
// its clock.
func (m moment) reader(file *trace.File, c clock, before time.Duration) (*trace.FromReader, error) {
	if collection, is := m.gc(); is {
		return file.Last(func(r *trace.FromReader) bool { return heap.BeginsBehind(r, collection) })
	}
	at, err := c.end, error(nil)
	if m.text != momentEnd {
		at, err = c.instant(m.flag, m.text)
	}
	if err != nil {
		return nil, err
	}
	return file.From(int64(max(0, at-before)))
}

// isIn reports whether all was read that says what was there at the moment, by the recording's clock.
func (m moment) isIn(reading *heap.Reading, c clock) bool {
	if collection, is := m.gc(); is {
		return reading.HasAfter(collection)
	}
	at, err := c.instant(m.flag, m.text)
	return m.text != momentEnd && err == nil && reading.HasAt(at)
}

// time is the time by which references are recorded that are of the moment.
func (m moment) time(h *heap.History, c clock) (time.Duration, error) {
	if _, is := m.gc(); !is && m.text != momentEnd {
		return c.instant(m.flag, m.text)
	}
	i, err := m.in(h, c)
	if err != nil {
		return 0, err
	}
	return referencesBy(h, i), nil
}

// referencesBy is the time by which references are to be recorded that are of a moment: those of the end are recorded
// in the last pause.
func referencesBy(h *heap.History, moment int) time.Duration {
	if moment == len(h.Pauses)-1 {
		return heapgraph.End
	}
	return h.Pauses[moment].Time()
}

// in finds the moment by the recording's clock.
func (m moment) in(h *heap.History, c clock) (int, error) {
	if m.text == momentEnd {
		return h.End()
	}
	if collection, is := m.gc(); is {
		return h.After(collection)
	}
	at, err := c.instant(m.flag, m.text)
	if err != nil {
		return 0, err
	}
	return h.At(at)
}

// moments are the two of --diff.
type moments struct{ from, to moment }

// parseMoments reads A..B.
func parseMoments(flag, text string) (m moments, err error) {
	from, to, two := strings.Cut(text, "..")
	m = moments{moment{flag, from}, moment{flag, to}}
	if !two {
		return m, usagef("--%s: %q is not two moments, such as gc:3..end or start..-10s", flag, text)
	}
	if from != momentStart {
		if err := m.from.check(); err != nil {
			return m, err
		}
	}
	return m, m.to.check()
}

// in finds them. Start stands for the one before the first.
func (m moments) in(h *heap.History, c clock) (from, to int, err error) {
	if m.from.text == momentStart {
		from, err = h.FromStart()
	} else {
		from, err = m.from.in(h, c)
	}
	if err != nil {
		return 0, 0, err
	}
	if to, err = m.to.in(h, c); err != nil {
		return 0, 0, err
	}
	if to <= from {
		return 0, 0, usagef("--%s %s..%s: the second moment is not after the first", m.to.flag, m.from.text, m.to.text)
	}
	return from, to, nil
}
