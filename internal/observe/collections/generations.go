package collections

import "cmp"

// ownCause is the JDK from which on a full collection of Parallel's has the cause of its pause. In 17 it has one
// of its own where allocation failed; those between were not run.
const ownCause = 25

// generations are the collections of Serial and Parallel: collector 0 does the young ones, collector 1 the full
// ones, and a pause may have one of each, and a second full one where the first did not free enough. A pause may
// have none.
func generations(gc string, feature int, events []event) (rows []row) {
	for i := range events {
		e := &events[i]
		if n := e.collectors[0].invocations + e.collectors[1].invocations; n > 0 {
			rows = append(rows, inPause(gc, feature, e)...)
		}
	}
	return rows
}

// inPause tells the collections of a pause apart. They have the numbers from the JVM's count of collections on.
func inPause(gc string, feature int, e *event) (rows []row) {
	youngs, fulls := e.collectors[0], e.collectors[1]
	cause := why(e.cause)
	if cause == nil {
		cause = why(e.lastCause)
	}
	// Serial and Parallel may take more memory behind a collection, in its pause; the log has the collection only.
	single := youngs.invocations+fulls.invocations == 1
	for range youngs.invocations {
		r := row{start: e.start, kind: young, cause: cause, pause: known(youngs.time)}
		if single {
			r.pause = known(youngs.time + e.between(&youngs))
		}
		rows = append(rows, r)
	}
	for n := range fulls.invocations {
		r := row{start: e.start, kind: full, cause: cause}
		if last := n == fulls.invocations-1; last {
			r.pause = known(fulls.exit - fulls.entry)
			r.start = max(e.start, e.finish-*r.pause)
		} else if fulls.invocations == 2 {
			r.pause = known(fulls.time - (fulls.exit - fulls.entry))
		}
		if single {
			r.start, r.pause = e.start, known(fulls.time+e.between(&fulls))
		} else if youngs.invocations > 0 && n == 0 {
			r.start = e.start + max(0, min(fulls.entry-youngs.entry, e.bracket()))
		}
		if gc == "Parallel" && feature < ownCause && n == 0 && cause != nil && *cause == "Allocation Failure" {
			r.cause = known("Ergonomics") // PSScavenge::invoke: a young collection did not, or would not, suffice
		}
		rows = append(rows, r)
	}
	for i := range rows {
		rows[i].number = e.begun + int64(i)
	}
	rows[0].before = bytesOf(e.before)
	rows[len(rows)-1].after = bytesOf(cmp.Or(e.counted, e.after))
	if gc == "Parallel" && youngs.invocations == 1 && len(rows) > 1 {
		between := e.oldBefore + e.promoted + e.survived
		rows[0].after, rows[1].before = &between, &between
	}
	return rows
}
