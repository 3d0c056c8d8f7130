package profile

import (
	"cmp"
	"slices"
	"strings"
)

// Rows answers a query. Rows of equal size are in order of their names, so
// that the same counts always give the same answer.
func (p *Profile) Rows(q Query) *Answer {
	answer := &Answer{Query: q}
	switch q.By {
	case ByThread:
		answer.Rows = p.threadRows(q.Filter)
	case ByProgram:
		answer.Rows = p.programRows(q.Filter)
	case ByTransaction:
		answer.Rows = p.transactionRows(q.Filter)
	case ByContext:
		p.contextRows(answer)
		return answer
	case ByCaller:
		if answer.Query.Mine == nil {
			answer.Query.Mine = p.GuessMine()
		}
		answer.Rows, answer.Others = p.callerRows(q.Filter, answer.Query.Mine)
	case ByMethod:
		answer.Rows = p.withInclusive(p.siteRows(q), q)
	default:
		answer.Rows = p.siteRows(q)
	}
	answer.Rows = slices.DeleteFunc(answer.Rows, func(r Row) bool { return r.Amount.IsZero() && r.Inclusive.IsZero() })
	for _, row := range answer.Rows {
		if q.By == ByCaller {
			row.Amount = row.Self
		}
		answer.Selected.Add(row.Amount)
	}
	answer.Selected.Add(answer.Others)
	answer.Count = len(answer.Rows)
	slices.SortStableFunc(answer.Rows, q.Sort.compareRows)
	if q.Top > 0 && len(answer.Rows) > q.Top {
		answer.Rows = answer.Rows[:q.Top]
	}
	return answer
}

// siteRows returns rows of sites, or of what sites have in common, by name.
func (p *Profile) siteRows(q Query) []Row {
	amounts := p.siteAmounts(q.Filter)
	groups := map[rowKey]int{}
	var rows []Row
	for i := range p.Sites {
		site := &p.Sites[i]
		row, ok := q.By.row(site)
		if !ok || !q.Filter.site(site) {
			continue
		}
		row.Amount = amounts[i]
		key := q.By.key(row)
		if at, known := groups[key]; known {
			rows[at].Amount.Add(row.Amount)
			continue
		}
		groups[key] = len(rows)
		rows = append(rows, row)
	}
	if q.By == ByClass || q.By == ByElement {
		slices.SortFunc(rows, func(a, b Row) int {
			return cmp.Or(strings.Compare(a.Class, b.Class), strings.Compare(a.Loader, b.Loader))
		})
	}
	return rows
}

// siteAmounts returns what the threads that pass the filter allocated, by site.
func (p *Profile) siteAmounts(f Filter) []Amount {
	amounts := make([]Amount, len(p.Sites))
	if f.Thread == "" && f.Under == "" && f.Transaction == "" {
		for i := range p.Sites {
			amounts[i] = p.Sites[i].Amount
		}
		return amounts
	}
	for sample := range p.Samples(f) {
		amounts[sample.Index].Add(sample.Amount)
	}
	return amounts
}

// threadRows returns one row for each thread name.
func (p *Profile) threadRows(f Filter) []Row {
	groups := map[string]int{}
	var rows []Row
	selected := p.selected(f)
	for i := range p.Threads {
		thread := &p.Threads[i]
		title := thread.Title()
		at, known := groups[title]
		if !known {
			at = len(rows)
			groups[title] = at
			rows = append(rows, Row{Thread: title})
		}
		var amount Amount
		if f.thread(thread) {
			amount = thread.amount(&selected)
		}
		if !amount.IsZero() {
			rows[at].Threads += thread.Merged
			rows[at].Amount.Add(amount)
		}
	}
	slices.SortFunc(rows, func(a, b Row) int { return strings.Compare(a.Thread, b.Thread) })
	return rows
}

// amount sums what a thread allocated at sites and in contexts that are selected.
func (t *Thread) amount(s *selection) (sum Amount) {
	for i := range t.Cells {
		if c := &t.Cells[i]; s.cell(c) {
			sum.Add(c.Amount)
		}
	}
	return sum
}
