package export

import (
	"fmt"
	"slices"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// NewRemovedReport is what was counted and never born.
func NewRemovedReport(file string, p *profile.Profile, h *heap.History, answer *heap.Removed) *HeapReport {
	r := newHeapReport(file, p, h, "removed", answer.Query)
	r.head.Totals, r.head.Selected = newJSONHeapSum(answer.Counted), newJSONHeapSum(answer.Removed)
	r.head.Uncounted = newJSONHeapSum(answer.Uncounted)
	r.facts.add("Counted", heapAmount(answer.Counted))
	r.facts.add("Born", heapAmount(answer.Born))
	r.facts.add("Removed", fmt.Sprintf("%s, %s %% of the bytes counted: compilers did without them",
		heapAmount(answer.Removed), percent(answer.Removed.Bytes, answer.Counted.Bytes)))
	r.facts.add("Uncounted", heapAmount(answer.Uncounted)+" of what was born: the JVM has made them, or native code")
	if h.IsTagged() {
		r.facts.add("Tags", "objects know their sites, which keeps compilers from removing them; run --no-tags")
	}
	if answer.LeftOut {
		r.facts.add("Left out", "int[]: unused memory, too, is of this class")
	}
	type row = *heap.Counted
	amount := func(name, title string, of func(row) heap.Amount, sized bool) []heapColumn[row] {
		columns := amountColumns(name, title, of)
		bytes := columns[1].value
		columns[1].value = func(c row) any {
			if sized && c.Unsized > 0 {
				return nil
			}
			return bytes(c)
		}
		return columns
	}
	columns := append(amount("removed", "Removed", row.Removed, true), heapColumn[row]{name: "removed_percent",
		title: "Removed%", unit: profile.Share,
		value: func(c row) any { return percentOf(c.Removed().Objects, c.Counted.Objects) }})
	columns = append(columns, amount("counted", "Counted", func(c row) heap.Amount { return c.Counted }, true)...)
	columns = append(columns, amount("born", "Born", func(c row) heap.Amount { return c.Born }, false)...)
	columns = append(columns, amount("uncounted", "Uncounted", row.Uncounted, true)...)
	columns = append(columns, heapColumn[row]{name: "class", title: "Class", unit: profile.Text,
		value: func(c row) any { return c.Name }})
	rows := "class"
	if slices.Contains(answer.By, heap.BySite) {
		rows = "row"
		r.addUnsited(answer)
		site := func(c row) *profile.Site { return c.Made }
		columns = append(columns, heapColumn[row]{"site", "Site", profile.Text, func(c row) any {
			if c.Made == nil {
				return "(unknown)"
			}
			return stackLine(c.Made, false) + inLoader(c.Made.Loader)
		}, inText}, siteColumn(site))
		columns = append(columns, sitePartColumns(site)...)
	}
	r.rows = heapTable(answer.Rows, columns)
	r.counts(answer.Count, rows, answer.Sort.String()+" removed")
	return r
}

// addUnsited says how much was born at no site that is known.
func (r *HeapReport) addUnsited(answer *heap.Removed) {
	r.addSited(heap.Sited{Known: answer.Born.Bytes - answer.Unsited.Bytes, All: answer.Born.Bytes})
	if answer.Unsited.Objects > 0 {
		r.unknown().Sites = newJSONHeapSum(answer.Unsited)
		r.addUnknown("where " + heapAmount(answer.Unsited) + " were made: of their classes so many more may be removed")
	}
}
