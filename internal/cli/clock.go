package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// A clock says when things in a recording were. The zero clock knows what is a time at all.
type clock struct {
	started time.Time // zero: the recording does not say
	end     time.Duration
	// gives the instant of a snapshot, from 1 on; nil: what is asked for has none
	snapshot func(number int) (time.Duration, error)
}

// clockOf is that of a recording that was read.
func clockOf(p *profile.Profile) clock { return clock{started: p.Started, end: p.Duration} }

// clockIn is that of a file.
func clockIn(file *trace.File) (clock, error) {
	end, err := file.End()
	if err != nil {
		return clock{}, err
	}
	c := clock{end: time.Duration(end), snapshot: func(number int) (time.Duration, error) {
		nanos, err := file.Snapshot(number)
		return time.Duration(nanos), err
	}}
	process, err := file.Process()
	if process != nil {
		c.started = time.Unix(0, process.Started)
	}
	return c, err
}

// snapshotPrefix is what stands before the number of a snapshot.
const snapshotPrefix = "snapshot:"

// timeExamples are what a time may look like.
const timeExamples = "12.5s, 3m, -60s, 12:03 or \"2026-01-31 12:03\""

// instant gives a time since the start: one since then, before the end, by the clock on the wall, or of a snapshot.
func (c clock) instant(flag, text string) (time.Duration, error) {
	switch {
	case text == "":
		return 0, nil
	case strings.HasPrefix(text, snapshotPrefix):
		return c.numbered(flag, text)
	case strings.Contains(text, ":"):
		return c.wall(flag, text)
	}
	d, err := time.ParseDuration(text)
	seconds, bad := strconv.ParseFloat(text, 64)
	if err != nil && bad == nil && seconds > -maxInstant && seconds < maxInstant {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil {
		return 0, usagef("--%s: %q is not a time such as %s", flag, text, timeExamples)
	}
	if d < 0 || strings.HasPrefix(text, "-") {
		return max(0, c.end+d), nil
	}
	return d, nil
}

// maxInstant bounds times without a unit, in seconds.
const maxInstant = 1e9

// numbered is the instant of a snapshot.
func (c clock) numbered(flag, text string) (time.Duration, error) {
	number, err := strconv.ParseUint(strings.TrimPrefix(text, snapshotPrefix), 10, 31)
	if err != nil || number == 0 {
		return 0, usagef("--%s: %q is not a snapshot, from %s1 on", flag, text, snapshotPrefix)
	}
	switch {
	case c.snapshot == nil && c.end == 0:
		return 0, nil // nobody has been asked yet
	case c.snapshot == nil:
		return 0, usagef("--%s: a heap is known at collections, not at snapshots: take gc:12 or a time", flag)
	}
	at, err := c.snapshot(int(number))
	if err != nil {
		return 0, fmt.Errorf("--%s: %w", flag, err)
	}
	return at, nil
}

// Times by the clock on the wall, in the time zone of who asks unless they say one.
var (
	timesOfDay = []string{"15:04", "15:04:05"} // with a fraction, too
	dates      = []string{"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05",
		time.RFC3339, "2006-01-02 15:04:05 -07:00"}
)

// wall is the instant when the clock on the wall said something. A time of day is that of the day on which the
// recording was started, or the first after.
func (c clock) wall(flag, text string) (time.Duration, error) {
	for _, layout := range dates {
		if at, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return c.since(flag, text, at)
		}
	}
	for _, layout := range timesOfDay {
		of, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		s := c.started.Local()
		at := time.Date(s.Year(), s.Month(), s.Day(), of.Hour(), of.Minute(), of.Second(), of.Nanosecond(), time.Local)
		// the minute, or the second, in which the recording began has begun before
		if at.Before(s) && !s.Truncate(precision(layout)).Equal(at) {
			at = at.AddDate(0, 0, 1)
		}
		return c.since(flag, text, at)
	}
	return 0, usagef("--%s: %q is not a time such as %s", flag, text, timeExamples)
}

func precision(layout string) time.Duration {
	if layout == timesOfDay[0] {
		return time.Minute
	}
	return time.Second
}

func (c clock) since(flag, text string, at time.Time) (time.Duration, error) {
	if c.end == 0 {
		return 0, nil // nobody has been asked yet
	}
	if c.started.IsZero() {
		return 0, fmt.Errorf("--%s %s: the recording does not say when it was started; take a time since the start, "+
			"such as 12.5s", flag, text)
	}
	if at.Sub(c.started) > c.end {
		const layout = "2006-01-02 15:04:05"
		return 0, fmt.Errorf("--%s %s: the recording is of %s to %s", flag, text, c.started.Local().Format(layout),
			c.started.Add(c.end).Local().Format(layout))
	}
	return max(0, at.Sub(c.started)), nil
}
