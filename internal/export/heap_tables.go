package export

import (
	"fmt"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// addPart says that the recording was read from a keyframe on, so that it is not known what is sure.
func (r *HeapReport) addPart() {
	from := r.history.Begin().Seconds()
	r.head.ReadFrom = &from
	r.facts.add("Read", fmt.Sprintf("from %.1f s on, as the recording is large: what is sure by then takes all of it; "+
		`without --at "mallard heap" says what is sure at the end`, from))
}

// NewHeldReport is what was in the heap at a moment, and what was sure by then, with what holds each class that
// grows; nil: that is not known.
func NewHeldReport(file string, p *profile.Profile, h *heap.History, answer *heap.Held, verdicts *heap.Verdicts,
	holders []string) *HeapReport {
	r := newHeapReport(file, p, h, "held", answer.Query)
	r.head.At = newJSONMoment(h, answer.At)
	r.head.Totals, r.head.Selected = newJSONHeapSum(answer.Total), newJSONHeapSum(answer.Selected)
	r.head.Unused = &answer.Unused
	r.head.Missing = h.Pauses[answer.At].Lost + h.Damaged
	r.facts.add("Heap", momentText(h, answer.At))
	r.facts.add("Total", heapAmount(answer.Total))
	if answer.Unused > 0 {
		r.facts.add("Unused", exactBytes(answer.Unused)+" between objects, and at the ends of allocation buffers")
	}
	if verdicts == nil {
		r.addPart()
	} else {
		r.addVerdicts(verdicts, holders)
	}
	if answer.Query.Class != "" {
		r.facts.add("Selected", heapAmount(answer.Selected))
	}
	isUnused := func(row heap.HeldRow) bool { return row.Class == heap.Unused }
	share := func(part func(heap.Amount) int64) func(heap.HeldRow) any {
		return func(row heap.HeldRow) any {
			whole := part(answer.Total)
			if isUnused(row) || whole == 0 {
				return nil
			}
			return 100 * float64(part(row.Amount)) / float64(whole)
		}
	}
	amounts := amountColumns("", "", func(row heap.HeldRow) heap.Amount { return row.Amount })
	objects := amounts[0].value
	amounts[0].value = func(row heap.HeldRow) any {
		if isUnused(row) {
			return nil
		}
		return objects(row)
	}
	columns := []heapColumn[heap.HeldRow]{
		amounts[0],
		{name: "objects_percent", title: "Obj%", unit: profile.Share,
			value: share(func(a heap.Amount) int64 { return a.Objects })},
		amounts[1],
		{name: "bytes_percent", title: "Byte%", unit: profile.Share,
			value: share(func(a heap.Amount) int64 { return a.Bytes })},
	}
	r.addSited(answer.Sited)
	r.addDeaths(answer.Deaths, "by then")
	r.rows = heapTable(answer.Rows, append(columns, keyColumns(h, &answer.Query,
		func(row heap.HeldRow) heap.Key { return row.Key })...))
	r.counts(answer.Count, rowNoun(&answer.Query), answer.Sort.String())
	return r
}

// NewDiffReport is what has changed between two moments.
func NewDiffReport(file string, p *profile.Profile, h *heap.History, answer *heap.Diff) *HeapReport {
	r := newHeapReport(file, p, h, "diff", answer.Query)
	r.head.From, r.head.To = newJSONMoment(h, answer.From), newJSONMoment(h, answer.To)
	r.head.Missing = h.Pauses[answer.To].Lost + h.Damaged
	sum := answer.Selected
	r.facts.add("From", momentText(h, answer.From)+": "+heapAmount(sum.Before))
	r.facts.add("To", momentText(h, answer.To)+": "+heapAmount(sum.After))
	r.facts.add("Born", heapAmount(sum.Born)+" in between")
	r.facts.add("Died", heapAmount(sum.Died())+" in between")
	if answer.DiedExactly() {
		r.addStayed(answer)
	}
	amount := func(name, title string, of func(heap.DiffAmounts) heap.Amount) []heapColumn[heap.DiffRow] {
		return amountColumns(name, title, func(row heap.DiffRow) heap.Amount { return of(row.DiffAmounts) })
	}
	columns := amount("difference", "Difference", heap.DiffAmounts.Difference)
	columns = append(columns, amount("before", "Before", func(d heap.DiffAmounts) heap.Amount { return d.Before })...)
	columns = append(columns, amount("after", "After", func(d heap.DiffAmounts) heap.Amount { return d.After })...)
	columns = append(columns, amount("born", "Born", func(d heap.DiffAmounts) heap.Amount { return d.Born })...)
	if answer.DiedExactly() {
		columns = append(columns, amount("died", "Died", heap.DiffAmounts.Died)...)
		columns = append(columns, stayedColumns(func(row heap.DiffRow) heap.Bounds { return row.Stayed })...)
	}
	r.addSited(answer.Sited)
	r.addDeaths(answer.Deaths, "in between")
	r.rows = heapTable(answer.Rows, append(columns, keyColumns(h, &answer.Query,
		func(row heap.DiffRow) heap.Key { return row.Key })...))
	r.counts(answer.Count, rowNoun(&answer.Query), "difference in "+answer.Sort.String())
	return r
}

// percentOf is nil of nothing.
func percentOf(part, whole int64) any {
	if whole == 0 {
		return nil
	}
	return 100 * float64(part) / float64(whole)
}

// NewCollectionsReport is what each pause has done.
func NewCollectionsReport(file string, p *profile.Profile, h *heap.History, answer *heap.Collections) *HeapReport {
	r := newHeapReport(file, p, h, "collections", answer.Query)
	type row = heap.CollectionRow
	pause := func(r row) *heap.Pause { return &h.Pauses[r.Pause] }
	unit := answer.Sort.String()
	amount := func(name, title string, of func(row) heap.Amount, always bool) heapColumn[row] {
		return heapColumn[row]{name: name + "_" + unit, title: title, unit: profile.Bytes, value: func(r row) any {
			switch {
			case pause(r).Ended && !always:
				return nil
			case answer.Sort == profile.SortObjects:
				return of(r).Objects
			}
			return of(r).Bytes
		}}
	}
	rows := answer.Rows
	if answer.Top > 0 {
		rows = rows[:min(answer.Top, len(rows))]
	}
	r.rows = heapTable(rows, []heapColumn[row]{
		{name: "collection", title: "Number", unit: profile.Number, value: func(r row) any {
			if pause(r).Collection == heap.None {
				return nil
			}
			return pause(r).Collection
		}},
		{name: "start", title: "Start", unit: profile.Seconds, value: func(r row) any { return pause(r).Start }},
		{name: "collected", title: "Collected", unit: profile.Text, value: func(r row) any {
			if pause(r).Ended {
				return newJSONMoment(h, r.Pause).State
			}
			return pause(r).Collected.String()
		}},
		amount("born", "Born", func(r row) heap.Amount { return r.Born }, true),
		amount("died", "Died", func(r row) heap.Amount { return r.Died }, false),
		amount("promoted", "Promoted", func(r row) heap.Amount { return r.Promoted }, false),
		amount("survived", "Survived", func(r row) heap.Amount { return r.Survived }, false),
		amount("held", "Held", func(r row) heap.Amount { return r.Held }, true),
		{name: "stopped", title: "Stopped", unit: profile.Seconds, value: func(r row) any {
			if pause(r).Ended {
				return nil
			}
			return pause(r).Stopped()
		}},
	})
	r.addSpan("pauses that began")
	r.facts.add("Columns", unit+": born since the row before; died, promoted and survived (young ones) in the "+
		"collection; held behind it; stopped: for how long the program was, without the walk of the heap")
	r.counts(len(answer.Rows), "pause", "time")
	return r
}

// addSpan says what is of the query's span, if there is one.
func (r *HeapReport) addSpan(what string) {
	span := r.query.Span
	if span == (profile.Span{}) {
		return
	}
	from, to := span.From.Seconds(), span.To.Seconds()
	r.head.Filters.From = &from
	text := fmt.Sprintf("%s from %.1f s", what, from)
	if span.To > 0 {
		r.head.Filters.To, text = &to, text+fmt.Sprintf(" to %.1f s", to)
	}
	r.facts.add("Span", text)
}

type lifetimeColumn = heapColumn[heap.LifetimeRow]

// NewLifetimesReport is how long objects live.
func NewLifetimesReport(file string, p *profile.Profile, h *heap.History, answer *heap.Lifetimes) *HeapReport {
	r := newHeapReport(file, p, h, "lifetimes", answer.Query)
	r.head.Selected = newJSONHeapSum(answer.Met)
	r.facts.add("Lifetimes", "collections that objects have come through, of "+heapAmount(answer.Met)+
		" that one has come to")
	r.addSpan("what was there at first when a collection came that began")
	columns := amountColumns("", "", func(row heap.LifetimeRow) heap.Amount { return row.Met })
	columns = append(columns, lifetimeColumn{name: "died_first_percent", title: "First%", unit: profile.Share,
		value: func(row heap.LifetimeRow) any { return percentOf(row.Soon.Objects, row.Met.Objects) }})
	for _, q := range []struct {
		name, title string
		share       float64
	}{{"median", "Median", 0.5}, {"age_90", "90%", 0.9}} {
		columns = append(columns, lifetimeColumn{name: q.name, title: q.title, unit: profile.Number,
			value: func(row heap.LifetimeRow) any { return row.Quantile(q.share) }})
	}
	r.addSited(answer.Sited)
	r.addDeaths(answer.Deaths, "in all")
	r.rows = heapTable(answer.Rows, append(columns, keyColumns(h, &answer.Query, heap.LifetimeRow.Key)...))
	r.counts(answer.Count, classNoun(&answer.Query), answer.Sort.String())
	return r
}

// NewChurnReport is what the first collection finds dead.
func NewChurnReport(file string, p *profile.Profile, h *heap.History, answer *heap.Churn) *HeapReport {
	r := newHeapReport(file, p, h, "churn", answer.Query)
	r.head.Totals, r.head.Selected = newJSONHeapSum(answer.Met), newJSONHeapSum(answer.DiedSoon)
	fact := heapAmount(answer.DiedSoon) + ", of " + heapAmount(answer.Met) +
		" that a collection has come to, were dead at their first"
	switch {
	case answer.Singly:
		r.facts.add("Churn", "of single objects, "+fact)
		r.addUnknownAges(answer.Unknown, &answer.Gaps, "")
	case answer.Gaps.LeftOut > 0:
		r.facts.add("Churn", fact+", by sums: walks have left single objects out")
	default:
		r.facts.add("Churn", fact)
	}
	columns := amountColumns("", "", func(row heap.LifetimeRow) heap.Amount { return row.Soon })
	columns = append(columns, lifetimeColumn{name: "bytes_percent", title: "Byte%", unit: profile.Share,
		value: func(row heap.LifetimeRow) any { return percentOf(row.Soon.Bytes, answer.DiedSoon.Bytes) }},
		lifetimeColumn{name: "died_first_percent", title: "First%", unit: profile.Share,
			value: func(row heap.LifetimeRow) any { return percentOf(row.Soon.Objects, row.Met.Objects) }},
		lifetimeColumn{name: "cost", title: "Cost s", unit: profile.Seconds,
			value: func(row heap.LifetimeRow) any { return row.Cost }})
	r.facts.add("Cost", fmt.Sprintf("%.3f s that young collections stopped the program, each shared by the bytes "+
		"that were allocated since the one before", answer.Cost.Seconds()))
	r.addSited(answer.Sited)
	r.addDeaths(answer.Deaths, "in all")
	r.rows = heapTable(answer.Rows, append(columns, keyColumns(h, &answer.Query, heap.LifetimeRow.Key)...))
	r.counts(answer.Count, classNoun(&answer.Query), answer.Sort.String()+" that died at their first collection")
	return r
}

// NewGrowthReport is what grows.
func NewGrowthReport(file string, p *profile.Profile, h *heap.History, answer *heap.Growth) *HeapReport {
	r := newHeapReport(file, p, h, "growth", answer.Query)
	which := "all"
	if answer.Full {
		which = "full"
	}
	r.head.After = &which
	unit := answer.Sort.String()
	r.facts.add("Growth", fmt.Sprintf("of held %s in a second: a line through those after %d collections (%s)", unit,
		answer.Collections, which))
	columns := []heapColumn[heap.GrowthRow]{
		{name: unit + "_per_second", title: map[string]string{"bytes": "Bytes/s", "objects": "Objects/s"}[unit],
			unit: profile.Share, value: func(row heap.GrowthRow) any { return row.Slope }},
		{name: "r_squared", title: "R²", unit: profile.Ratio, value: func(row heap.GrowthRow) any {
			if !row.Fitted {
				return nil
			}
			return row.Fit
		}},
	}
	columns = append(columns, amountColumns("held", "Held",
		func(row heap.GrowthRow) heap.Amount { return row.Held })...)
	columns = append(columns, heapColumn[heap.GrowthRow]{name: "stayed_percent", title: "Stayed%", unit: profile.Share,
		value: func(row heap.GrowthRow) any { return row.Stayed() }})
	r.addSited(answer.Sited)
	r.rows = heapTable(answer.Rows, append(columns, keyColumns(h, &answer.Query, heap.GrowthRow.Key)...))
	r.counts(answer.Count, classNoun(&answer.Query), unit+" in a second")
	return r
}

// NewHeapCheckReport is what does not add up.
func NewHeapCheckReport(file string, p *profile.Profile, h *heap.History, answer *heap.Check, top int) *HeapReport {
	r := newHeapReport(file, p, h, "check", heap.Query{Top: top})
	r.head.Filters.Sort = nil
	rows := answer.Violations
	if top > 0 {
		rows = rows[:min(top, len(rows))]
	}
	r.facts.add("Checked", fmt.Sprintf("%s, %s", counted(int64(answer.Walks), "walk"),
		counted(answer.Compared, "figure")))
	if n := answer.Regions.Compared; n > 0 {
		whole := "space"
		if p.Process != nil && p.Process.GC == "G1" {
			whole = "region"
		}
		r.facts.add("Read whole", fmt.Sprintf("%s, %s", counted(n-answer.Regions.Other, whole),
			counted(answer.Buffers.Compared-answer.Buffers.Other, "allocation buffer")))
	}
	all := len(answer.Violations) + answer.More
	result := "ok"
	if all > 0 {
		result = fmt.Sprintf("%s do not add up", grouped(int64(all)))
	}
	r.facts.add("Result", result)
	if answer.Early > 0 {
		r.facts.add("Read early", fmt.Sprintf("%.1f %% of what was in eden, while the program ran",
			100*float64(answer.Early)/float64(max(answer.Eden, answer.Early))))
	}
	if g := answer.Gaps; g != nil {
		r.addUnknown(times("what an object was before a collection", g.Late),
			times("whether it lives behind one", g.Unordered+g.Unseen), times("where it was born", g.Unplaced),
			times("what else is there behind collections that had no room for all that lives", g.Remains))
		r.addGaps(g)
	}
	r.rows = heapTable(rows, []heapColumn[heap.Violation]{
		{name: "walk", title: "Walk", unit: profile.Number, value: func(v heap.Violation) any {
			if v.Pause < 0 {
				return nil
			}
			return h.Pauses[v.Pause].Number
		}},
		{name: "collection", title: "Collection", unit: profile.Number, value: func(v heap.Violation) any {
			if v.Pause < 0 || h.Pauses[v.Pause].Collection == heap.None {
				return nil
			}
			return h.Pauses[v.Pause].Collection
		}},
		{name: "what", title: "What", unit: profile.Text, value: func(v heap.Violation) any { return v.What }},
	})
	r.counts(all, "violation", "time")
	return r
}
