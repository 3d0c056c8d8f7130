package collections

import (
	"cmp"
	"slices"

	"mallard/internal/trace"
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
		rows, events = withoutCounters(events), detailed
	}
	switch {
	case len(detailed) == 0:
		rows = pauses(events)
	case gc == "Serial" || gc == "Parallel":
		rows = append(rows, generations(gc, process.Feature(), events)...)
	case gc == "G1":
		rows = append(rows, g1(events)...)
	case gc == "ZGC":
		rows = append(rows, z(process.Feature(), events)...)
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

// withoutCounters has the events among others that were recorded without what tells the collections in a pause.
func withoutCounters(events []event) (rows []row) {
	for i := range events {
		if e := &events[i]; !e.counters() {
			rows = append(rows, pauseRow(e, numbered(e, e.begun), pause))
		}
	}
	return rows
}
