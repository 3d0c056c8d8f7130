package collections

import "slices"

// The kinds of G1's own.
const (
	mixed     = "mixed"
	remark    = "remark"
	cleanup   = "cleanup"
	markCycle = "concurrent mark cycle"
	undoCycle = "concurrent undo cycle"
)

// g1 are G1's collections: collector 0 does the young and mixed ones, collector 1 the full ones. What is neither
// belongs to a concurrent cycle, whose pauses have its number.
func g1(events []event) (rows []row) {
	cycles := map[int64][]*event{}
	last := map[int64]*event{} // pauses that are not a cycle's, by number
	for i := range events {
		e := &events[i]
		number := numbered(e, int64(i))
		r := pauseRow(e, number, young)
		r.cause = why(e.cause)
		switch {
		case e.collectors[1].invocations > 0:
			r.kind, r.pause = full, known(e.bracket()-e.between(&e.collectors[1]))
		case e.collectors[0].invocations > 0:
			r.pause = known(e.bracket() - e.between(&e.collectors[0]))
			if e.freed > 0 {
				r.kind = mixed
			}
		default:
			cycles[number] = append(cycles[number], e)
			continue
		}
		last[number] = e
		rows = append(rows, r)
	}
	besideCycles(rows, last)
	for number, inside := range cycles {
		rows = append(rows, markRows(number, inside, last[number-1])...)
	}
	return append(rows, unseenCycles(rows)...)
}

// besideCycles has the pauses that begin a cycle, or are the first in one, without what G1 waits for in them and
// its log leaves out: that its own threads let go of the cycle before, or have scanned roots. The counters leave
// it out as well.
func besideCycles(rows []row, pauses map[int64]*event) {
	for i := range rows {
		n := rows[i].number
		if rows[i].kind != full && n > 0 && (pauses[n-1] == nil || pauses[n+1] == nil) {
			rows[i].pause = known(pauses[n].collectors[0].time)
		}
	}
}

// markRows are those of a cycle that got as far as Remark, which comes again where marking overflowed; Cleanup is
// the last. It began when the pause before it ended.
func markRows(number int64, inside []*event, began *event) (rows []row) {
	cycle := row{number: number, start: inside[0].start, kind: markCycle, after: bytesOf(inside[len(inside)-1].after)}
	if began != nil {
		cycle.start, cycle.before = began.finish, bytesOf(began.after)
	}
	for i, e := range inside {
		kind := remark
		if i > 0 && i == len(inside)-1 {
			kind = cleanup
		}
		rows = append(rows, pauseRow(e, number, kind))
	}
	return append(rows, cycle)
}

// unseenCycles are those without a pause: numbers that no pause has. G1 undoes a cycle that has become needless,
// and a full collection ends one that is marking, or comes before its thread has taken a number; the next cycle comes
// after the last has ended.
func unseenCycles(rows []row) (unseen []row) {
	all := slices.Clone(rows)
	slices.SortStableFunc(all, func(a, b row) int { return int(a.number - b.number) })
	for i := 1; i < len(all); i++ {
		before := &all[i-1]
		if all[i].number != before.number+2 || before.pause == nil {
			continue
		}
		cycle := row{
			number: before.number + 1, start: before.start + *before.pause, kind: markCycle, before: before.after,
		}
		for _, beside := range all[i-1:] {
			if beside.kind == full {
				break
			}
			if beside.pause == nil {
				cycle.kind = undoCycle
				break
			}
		}
		unseen = append(unseen, cycle)
	}
	for i := range unseen[:max(0, len(unseen)-1)] {
		if !fullBetween(all, unseen[i].number-1, unseen[i+1].number) {
			unseen[i].kind = undoCycle
		}
	}
	return unseen
}

func fullBetween(rows []row, from, to int64) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.kind == full && r.number >= from && r.number < to })
}
