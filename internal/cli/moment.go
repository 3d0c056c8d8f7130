package cli

import (
	"strconv"
	"strings"
	"time"

	"mallard/internal/heap"
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
	if number, is := strings.CutPrefix(m.text, momentGC); is {
		if _, err := strconv.ParseUint(number, 10, 32); err == nil {
			return nil
		}
	} else if _, err := instant(m.flag, m.text, 0); err == nil && m.text != "" {
		return nil
	}
	return usagef("--%s %s is no moment: end, gc:12, 12.5s, -10s", m.flag, m.text)
}

// in finds the moment in a recording that ends at a time.
func (m moment) in(h *heap.History, end time.Duration) (int, error) {
	switch number, is := strings.CutPrefix(m.text, momentGC); {
	case m.text == momentEnd:
		return h.End()
	case is:
		collection, err := strconv.ParseUint(number, 10, 32)
		if err != nil {
			return 0, m.check()
		}
		return h.After(int64(collection))
	}
	at, err := instant(m.flag, m.text, end)
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
		return m, usagef("--%s %s is not two moments: gc:3..end, start..-10s", flag, text)
	}
	if from != momentStart {
		if err := m.from.check(); err != nil {
			return m, err
		}
	}
	return m, m.to.check()
}

// in finds them. Start stands for the one before the first.
func (m moments) in(h *heap.History, end time.Duration) (from, to int, err error) {
	from = heap.Start
	if m.from.text != momentStart {
		if from, err = m.from.in(h, end); err != nil {
			return 0, 0, err
		}
	}
	if to, err = m.to.in(h, end); err != nil {
		return 0, 0, err
	}
	if to <= from {
		return 0, 0, usagef("--%s %s..%s: the second is not after the first", m.to.flag, m.from.text, m.to.text)
	}
	return from, to, nil
}
