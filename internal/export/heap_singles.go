package export

import (
	"fmt"

	"mallard/internal/heap"
	"mallard/internal/heap/single"
	"mallard/internal/profile"
)

// NewObjectsReport is the single objects of a moment.
func NewObjectsReport(file string, p *profile.Profile, h *heap.History, answer *heap.Objects) *HeapReport {
	type row = single.Object
	r := newHeapReport(file, p, h, "objects", answer.Query)
	r.head.Filters.Sort = nil
	r.head.At = newJSONMoment(h, answer.At)
	r.head.Totals, r.head.Selected = newJSONHeapSum(answer.Total), newJSONHeapSum(answer.Selected)
	r.head.Missing = h.Pauses[answer.At].Lost + h.Damaged
	r.facts.add("Heap", momentText(h, answer.At))
	r.facts.add("Total", heapAmount(answer.Total))
	all := ""
	if answer.Missing.Objects > 0 {
		r.unknown().All = newJSONHeapSum(answer.Missing)
		all = heapAmount(answer.Missing) + " besides, but for their classes"
	}
	r.unknown().Births, r.unknown().Identities = answer.Unknown, answer.Nameless
	r.unknown().Addresses = answer.Unplaced
	r.addUnknown(all, ofObjects("the birth of %s", answer.Unknown), ofObjects("the identity of %s", answer.Nameless),
		ofObjects("the address of %s", answer.Unplaced))
	r.addGaps(&answer.Gaps)
	if answer.Query.Class != "" {
		r.facts.add("Selected", heapAmount(answer.Selected))
	}
	pause := func(i int32) any { // that it began with
		if i < 0 || h.Pauses[i].Collection == heap.None {
			return nil
		}
		return h.Pauses[i].Collection
	}
	columns := []heapColumn[row]{
		{name: "address", title: "Address", unit: profile.Text,
			value: func(o row) any {
				if o.Address == 0 {
					return nil
				}
				return fmt.Sprintf("%#x", o.Address)
			}},
		{name: "bytes", title: "Bytes", unit: profile.Bytes, value: func(o row) any { return o.Bytes() }},
		{name: "hash", title: "Hash", unit: profile.Text, value: func(o row) any {
			if o.Order == 0 {
				return nil
			}
			return fmt.Sprintf("%x", o.Hash())
		}},
		{name: "born", title: "Born", unit: profile.Number, value: func(o row) any { return pause(o.Born) }},
		{name: "moves", title: "Moves", unit: profile.Number, value: func(o row) any { return int64(o.Moves) }},
		{name: "promoted", title: "Promoted", unit: profile.Number,
			value: func(o row) any { return pause(o.Promoted) }},
		{name: "promoted_age", title: "At age", unit: profile.Number, value: func(o row) any {
			if age, known := o.PromotedAge(); known {
				return int64(age)
			}
			return nil
		}},
		{name: "space", title: "Space", unit: profile.Text,
			value: func(o row) any { return heap.Space(o.Space).String() }},
		{name: "age", title: "Age", unit: profile.Number, value: func(o row) any {
			if o.IsOld() {
				return nil
			}
			return int64(o.Age)
		}},
	}
	if p.Process != nil && p.Process.GC == "G1" {
		columns = append(columns, heapColumn[row]{name: "region", title: "Region", unit: profile.Number,
			value: func(o row) any {
				if !o.IsOld() {
					return nil
				}
				return int64(o.Region)
			}})
	}
	r.rows = heapTable(answer.Rows, append(columns, keyColumns(h, &answer.Query,
		func(o row) heap.Key { return heap.Key{Class: heap.Class(o.Class)} })...))
	r.counts(answer.Count, "object", "bytes")
	return r
}

// NewPrematureReport is what was promoted in vain.
func NewPrematureReport(file string, p *profile.Profile, h *heap.History, answer *heap.Premature) *HeapReport {
	r := newHeapReport(file, p, h, "premature", answer.Query)
	r.head.Totals, r.head.Selected = newJSONHeapSum(answer.Promoted), newJSONHeapSum(answer.Died)
	r.facts.add("Promoted", heapAmount(answer.Promoted))
	r.facts.add("Looked at", heapAmount(answer.Looked)+": by a collection behind their promotion")
	r.facts.add("Premature", fmt.Sprintf(
		"%s, %s %% of the bytes promoted, were dead when one looked for the first time", heapAmount(answer.Died),
		percent(answer.Died.Bytes, answer.Promoted.Bytes)))
	r.addBounds(answer)
	r.addGaps(&answer.Gaps)
	type row = heap.PrematureRow
	columns := amountColumns("premature", "Premature", func(r row) heap.Amount { return r.Died })
	columns = append(columns, heapColumn[row]{name: "premature_percent", title: "Premature%", unit: profile.Share,
		value: func(r row) any { return percentOf(r.Died.Bytes, r.Promoted.Bytes) }})
	columns = append(columns, amountColumns("promoted", "Promoted", func(r row) heap.Amount { return r.Promoted })...)
	columns = append(columns, amountColumns("looked", "Looked at", func(r row) heap.Amount { return r.Looked })...)
	r.addSited(answer.Sited)
	r.rows = heapTable(answer.Rows, append(columns, keyColumns(h, &answer.Query, row.Key)...))
	r.counts(answer.Count, classNoun(&answer.Query), answer.Sort.String()+" promoted in vain")
	return r
}

// NewHeapMapReport is what was where at a moment, in the order of spaces and regions.
func NewHeapMapReport(file string, p *profile.Profile, h *heap.History, moment int, q heap.Query) *HeapReport {
	r := newHeapReport(file, p, h, "map", q)
	r.head.Filters.Sort = nil
	r.head.At = newJSONMoment(h, moment)
	r.head.Missing = h.Pauses[moment].Lost + h.Damaged
	r.facts.add("Heap", momentText(h, moment))
	rows := h.Map(moment)
	all, total := len(rows), heap.Amount{}
	for i := range rows {
		total = heap.Sum(total, rows[i].Held)
	}
	r.head.Totals = newJSONHeapSum(total)
	r.facts.add("Total", heapAmount(total))
	if q.Top > 0 {
		rows = rows[:min(q.Top, len(rows))]
	}
	type row = heap.Region
	columns := []heapColumn[row]{{name: "space", title: "Space", unit: profile.Text,
		value: func(r row) any { return r.Space.String() }}}
	if p.Process != nil && p.Process.GC == "G1" {
		columns = append(columns, heapColumn[row]{name: "region", title: "Region", unit: profile.Number,
			value: func(r row) any {
				if !r.Space.IsOld() {
					return nil
				}
				return int64(r.Number)
			}})
	}
	columns = append(columns, amountColumns("", "", func(r row) heap.Amount { return r.Held })...)
	r.rows = heapTable(rows, append(columns,
		heapColumn[row]{name: "unused_bytes", title: "Unused", unit: profile.Bytes,
			value: func(r row) any { return r.Unused }},
		heapColumn[row]{name: "largest_bytes", title: "Largest", unit: profile.Bytes,
			value: func(r row) any { return r.Bytes }},
		heapColumn[row]{name: "class", title: "Class", unit: profile.Text, value: func(r row) any {
			if r.Largest == heap.Unused {
				return nil
			}
			return h.Title(r.Largest)
		}}))
	r.counts(all, "place", "space and region")
	return r
}
