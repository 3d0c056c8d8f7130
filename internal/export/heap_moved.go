package export

import (
	"fmt"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// manyMore collections are enough to say what is usual.
const manyMore = 5

// NewMovedReport is what lived through a collection, whose cause is "" if it is not known.
func NewMovedReport(file string, p *profile.Profile, h *heap.History, answer *heap.Moved, cause string) *HeapReport {
	r := newHeapReport(file, p, h, "moved", answer.Query)
	pause := &h.Pauses[answer.At]
	r.head.At = newJSONMoment(h, answer.At)
	r.head.Totals, r.head.Selected = newJSONHeapSum(answer.Total.All()), newJSONHeapSum(answer.Selected.All())
	r.head.Missing = pause.Lost + h.Damaged
	stopped := pause.Stopped().Seconds()
	r.head.Cost = &jsonCost{optional(cause), stopped, answer.Collections, answer.Stopped.Seconds(), answer.More, nil}
	if usual := answer.Usual.Seconds(); answer.More > 0 {
		r.head.Cost.Usual = &usual
	}
	text := momentText(h, answer.At)
	if cause != "" {
		text += ", " + cause
	}
	r.facts.add("Collection", text)
	text = fmt.Sprintf("the program for %.3f s", stopped)
	if answer.Collections > 0 {
		text += fmt.Sprintf(", %s %% of the %.3f s of %s", percent(int64(pause.Stopped()), int64(answer.Stopped)),
			answer.Stopped.Seconds(), counted(int64(answer.Collections), "collection"))
	}
	r.facts.add("Stopped", text+"; walks of the heap aside")
	r.facts.add("Moved", heapAmount(answer.Total.All())+": they lived through it")
	r.facts.add("Survived", heapAmount(answer.Total.Survived)+" in the young generation")
	r.facts.add("Promoted", heapAmount(answer.Total.Promoted)+" to the old one")
	r.facts.add("Old", heapAmount(answer.Total.Old)+" that were old before")
	if answer.More >= manyMore && answer.Usual < pause.Stopped()/2 {
		r.facts.add("Note", fmt.Sprintf("what it moved does not explain how long it took: half of %s of its kind that "+
			"moved as much and more took %.3f s and less", counted(int64(answer.More), "other collection"),
			answer.Usual.Seconds()))
	}
	if answer.Query.Class != "" {
		r.facts.add("Selected", heapAmount(answer.Selected.All()))
	}
	type row = heap.MovedRow
	columns := amountColumns("", "", row.All)
	columns = append(columns, heapColumn[row]{name: "bytes_percent", title: "Byte%", unit: profile.Share,
		value: func(r row) any { return percentOf(r.All().Bytes, answer.Total.All().Bytes) }})
	columns = append(columns, amountColumns("survived", "Survived", func(r row) heap.Amount { return r.Survived })...)
	columns = append(columns, amountColumns("promoted", "Promoted", func(r row) heap.Amount { return r.Promoted })...)
	columns = append(columns, amountColumns("old", "Old", func(r row) heap.Amount { return r.Old })...)
	r.addSited(answer.Sited)
	r.rows = heapTable(answer.Rows, append(columns, keyColumns(h, &answer.Query, row.Key)...))
	r.counts(answer.Count, classNoun(&answer.Query), answer.Sort.String()+" moved")
	return r
}
