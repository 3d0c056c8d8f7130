package collections

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mallard/internal/trace"
)

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

// interpret says what collections the pauses of a recording were for.
func interpret(process *trace.Process, events []event) []row {
	gc := ""
	if process != nil {
		gc = process.GC
	}
	var rows []row
	detailed := slices.DeleteFunc(slices.Clone(events), func(e event) bool { return !e.counters() })
	if len(detailed) > 0 {
		rows, events = briefly(events), detailed
	}
	switch {
	case len(detailed) == 0:
		rows = pauses(events)
	case gc == "Serial" || gc == "Parallel":
		rows = append(rows, generations(gc, feature(process), events)...)
	case gc == "G1":
		rows = append(rows, g1(events)...)
	case gc == "ZGC":
		rows = append(rows, z(feature(process), events)...)
	case gc == "Shenandoah":
		rows = append(rows, shenandoah(events)...)
	default:
		rows = append(rows, pauses(events)...)
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.number, b.number))
	})
	allocations(rows)
	return rows
}

// feature is the JDK's number: 17, 25; 0 where that is unknown.
func feature(process *trace.Process) int {
	digits, _, _ := strings.Cut(process.JVMVersion, ".")
	digits, _, _ = strings.Cut(digits, "+")
	n, _ := strconv.Atoi(digits)
	return n
}

// allocations finds what was allocated between pauses. Where the heap shrank while the program ran, as it does with
// collectors that free memory meanwhile, that is unknown.
func allocations(rows []row) {
	last := int64(0)
	for i := range rows {
		r := &rows[i]
		if r.pause == nil && r.after == nil {
			continue
		}
		if r.before != nil && *r.before >= last && last >= 0 {
			n := *r.before - last
			r.allocated = &n
		}
		if r.pause == nil {
			continue // a cycle: pauses inside it have what it says
		}
		last = -1
		if r.after != nil {
			last = *r.after
		}
	}
}

// pauses are all that is known of a JVM without counters, or with a collector of which nothing is known.
func pauses(events []event) (rows []row) {
	for i := range events {
		rows = append(rows, pauseRow(&events[i], int64(i), pause))
	}
	return rows
}

// briefly has the events among others that were recorded without what tells the collections in a pause.
func briefly(events []event) (rows []row) {
	for i := range events {
		if e := &events[i]; !e.counters() {
			rows = append(rows, pauseRow(e, numbered(e, e.begun), pause))
		}
	}
	return rows
}

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
