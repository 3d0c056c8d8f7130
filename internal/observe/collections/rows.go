package collections

import "time"

// row is a pause, or a concurrent cycle. What is nil is unknown, or there is none.
type row struct {
	number        int64
	start         time.Duration
	kind          string
	cause         *string
	pause         *time.Duration // of the world; nil for a cycle
	before, after *int64
	allocated     *int64 // since the row before, of what has a pause
}

// The kinds of rows that more than one collector has.
const (
	young = "young"
	full  = "full"
	pause = "pause" // all that JVMTI says
)

// pauseRow is a row for all of a pause.
func pauseRow(e *event, number int64, kind string) row {
	return row{
		number: number, start: e.start, kind: kind, pause: known(e.bracket()),
		before: bytesOf(e.before), after: bytesOf(e.after),
	}
}

// numbered gives the number that the JVM's log has, else another.
func numbered(e *event, otherwise int64) int64 {
	if e.id != noID {
		return int64(e.id)
	}
	return otherwise
}

func known[T any](v T) *T { return &v }

// bytesOf is nil for 0, which stands for what is unknown: no heap is empty.
func bytesOf(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

// why is the cause that a JVM's log has, nil for none.
func why(cause string) *string {
	if cause == "" || cause == noCause {
		return nil
	}
	return &cause
}

// around bounds the work that the JVM logs as part of a collection and its counters do not have, or that JVMTI's
// events have around what is logged.
const around = 50 * time.Microsecond

// between is half of the time that is between JVMTI's events and not between the counters'. What the JVM logs
// begins and ends in there, some 10 us from either.
func (e *event) between(c *collector) time.Duration {
	return max(0, min((e.bracket()-c.time)/2, around))
}
