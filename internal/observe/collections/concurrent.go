package collections

import "slices"

// cycle is a collection that is mostly concurrent, with its pauses.
type cycle struct {
	number int64
	pauses []*event
}

// cyclesOf puts pauses of one number together, in the order of their numbers.
func cyclesOf(events []event) (list []*cycle) {
	by := map[int64]*cycle{}
	for i := range events {
		number := numbered(&events[i], int64(i))
		c := by[number]
		if c == nil {
			c = &cycle{number: number}
			by[number] = c
			list = append(list, c)
		}
		c.pauses = append(c.pauses, &events[i])
	}
	return list
}

// rows are the cycle's own and those of its pauses. It begins with its first pause, more or less. What the heap
// held when it ended is unknown, as the world ran.
func (c *cycle) rows(kind string, kinds []string) (rows []row) {
	first := c.pauses[0]
	rows = append(rows, row{
		number: c.number, start: first.start, kind: kind, cause: why(first.cause), before: bytesOf(first.before),
	})
	for i, e := range c.pauses {
		r := pauseRow(e, c.number, pause)
		if i < len(kinds) {
			r.kind = kinds[i]
		}
		r.cause = why(e.cause)
		rows = append(rows, r)
	}
	return rows
}

// The pauses of ZGC: those of the young generation, and behind them those of the old one. A collection that is
// asked for collects the young generation by itself first.
var (
	zPauses      = []string{"mark start", "mark end", "relocate start"}
	zMajorPauses = append(slices.Clone(zPauses), "mark end", "relocate start")
	zAskedPauses = append(slices.Clone(zPauses), zMajorPauses...)
)

// From JDK generationalOnly on ZGC is generational; before generational it was not.
const (
	generational     = 21
	generationalOnly = 24
)

// z are ZGC's collections. A generational one counts minor collections' pauses as collector 0's.
func z(feature int, events []event) (rows []row) {
	generations := feature >= generationalOnly || feature >= generational &&
		slices.ContainsFunc(events, func(e event) bool { return e.collectors[0].invocations > 0 })
	for _, c := range cyclesOf(events) {
		kind, kinds := "garbage collection", zPauses
		switch {
		case !generations:
		case c.pauses[0].collectors[0].invocations > 0:
			kind = "minor collection"
		case len(c.pauses) == len(zAskedPauses):
			kind, kinds = "major collection", zAskedPauses
		default:
			kind, kinds = "major collection", zMajorPauses
		}
		rows = append(rows, c.rows(kind, markedAgain(kinds, len(c.pauses)))...)
	}
	return rows
}

// markedAgain are the kinds of more pauses than usual: marking has to end more than once where it finds more to
// do. With one generation it is known which those are.
func markedAgain(kinds []string, n int) []string {
	if n <= len(kinds) || len(kinds) != len(zPauses) {
		return kinds
	}
	return slices.Concat(kinds[:1], slices.Repeat(kinds[1:2], n-2), kinds[2:])
}

// shenandoahPauses are those of a concurrent collection. One that has nothing to evacuate ends after the second.
var shenandoahPauses = []string{"init mark", "final mark", "init update refs", "final update refs", "final roots"}

// shenandoah are Shenandoah's collections. One that allocation has overtaken goes on in a pause.
func shenandoah(events []event) (rows []row) {
	for _, c := range cyclesOf(events) {
		list := c.rows("concurrent gc", shenandoahPauses)
		for i, e := range c.pauses {
			if e.cause == "Allocation Failure" {
				list[i+1].kind = "degenerated or full"
			}
		}
		rows = append(rows, list...)
	}
	return rows
}
