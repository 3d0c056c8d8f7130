package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mallard/internal/export"
)

// mostRows bounds how many rows an answer has.
const mostRows = 1000

// RowsQuery asks for rows.
type RowsQuery struct {
	Query
	By     string // method, class, site, line, thread or transaction
	Sort   string // self, all or title, largest first; reversed with - before it
	Bytes  bool   // sorted by bytes, not by objects
	Search string // part of a title, or a /pattern/
	From   int    // leave out so many
	Count  int
}

// Rows are lines of a table.
type Rows struct {
	Rows  []Row    `json:"rows"`
	Count int      `json:"count"` // that there are
	Total [2]int64 `json:"total"` // of all that is selected
}

// ErrRows is what Rows returns for a question that there is not.
var ErrRows = fmt.Errorf("view: no such rows")

// Rows answers a question. Its errors are ErrRows and ErrPattern.
func (r *Recording) Rows(q RowsQuery) (*Rows, error) {
	column, reversed := strings.CutPrefix(q.Sort, "-")
	if !slices.Contains([]string{"self", "all", "title"}, column) {
		return nil, ErrRows
	}
	p, err := newPattern(q.Search)
	if err != nil {
		return nil, err
	}
	s := r.selected(q.Query)
	t := r.table(s, q.By)
	if t == nil {
		return nil, ErrRows
	}
	unit, direction := 0, 1
	if q.Bytes {
		unit = 1
	}
	if reversed {
		direction = -1
	}
	compare := func(a, b *rowAmounts) int { // most differ in the first
		if column == "self" && a.self[unit] != b.self[unit] {
			return cmp.Compare(b.self[unit], a.self[unit])
		}
		return cmp.Or(cmp.Compare(b.all[unit], a.all[unit]), cmp.Compare(b.self[unit], a.self[unit]))
	}
	less := func(i, j int32) int {
		order := 0
		if column != "title" {
			order = compare(&t.amounts[i], &t.amounts[j])
		}
		if order == 0 {
			order = cmp.Compare(i, j)
		}
		return direction * order
	}
	answer := &Rows{Rows: []Row{}, Total: [2]int64{s.total.objects, s.total.bytes}}
	first := first{less: less, most: max(0, q.From) + max(0, min(q.Count, mostRows))}
	answer.Count = first.takeAll(len(t.amounts), func() func(i int32) bool {
		matches := t.search(p.clone())
		return func(i int32) bool {
			a := &t.amounts[i]
			return (a.self != [2]int64{} || a.all != [2]int64{}) && (q.Search == "" || matches(i))
		}
	})
	list := first.sorted()
	for _, i := range list[min(len(list), max(0, q.From)):] {
		row := t.row(i)
		row.Self, row.All = t.amounts[i].self, t.amounts[i].all
		answer.Rows = append(answer.Rows, row)
	}
	return answer, nil
}

// table has the rows of a kind, or remembers them; nil for none.
func (r *Recording) table(s *selection, by string) *table {
	t := s.tables[by]
	if t != nil {
		return t
	}
	switch by {
	case "method":
		t = r.methodRows(s)
	case "class":
		t = r.classRows(s)
	case "site":
		t = r.siteRows(s)
	case "line":
		t = r.lineRows(s)
	case "thread":
		t = r.threadRows(s)
	case "transaction":
		t = r.transactionRows(s)
	default:
		return nil
	}
	s.tables[by] = t
	return t
}

// methodRows has a row for each method. What it has led to counts once where it calls itself.
func (r *Recording) methodRows(s *selection) *table {
	rows, active := make([]rowAmounts, len(r.named)), make([]int32, len(r.named))
	for i, method := range r.methodOf {
		row := &rows[method]
		for k := r.first[i]; k < r.first[i+1]; k++ {
			add(&row.self, s.cells[k])
		}
		if int32(i) >= active[method] {
			add(&row.all, s.sums[i])
			active[method] = r.ends[i]
		}
	}
	return &table{amounts: rows, row: func(i int32) Row {
		n := name{ofMethod, i, -1}
		return Row{Title: r.title(n), Key: r.key(n)}
	}}
}

// byName are the numbers of titles in the order of these.
func byName(n int, title func(i int) string) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(title(i), title(j)) })
	return order
}

func (r *Recording) classRows(s *selection) *table {
	sums := r.classSums(s)
	order := byName(len(sums), func(i int) string { return r.types[i] })
	rows := make([]rowAmounts, len(sums))
	for i, class := range order {
		rows[i] = rowAmounts{sums[class], sums[class]}
	}
	return &table{amounts: rows, row: func(i int32) Row {
		return Row{Title: r.types[order[i]], Key: r.key(name{ofClass, int32(order[i]), -1})}
	}}
}

// classSums has what was allocated of each type.
func (r *Recording) classSums(s *selection) [][2]int64 {
	sums := make([][2]int64, len(r.types))
	for k, site := range r.cells.site {
		add(&sums[r.typeOf[site]], s.cells[k])
	}
	return sums
}

func (r *Recording) siteRows(s *selection) *table {
	rows := make([]rowAmounts, len(r.typeOf))
	for k, site := range r.cells.site {
		add(&rows[site].self, s.cells[k])
	}
	for i := range rows {
		rows[i].all = rows[i].self
	}
	return &table{amounts: rows, row: func(i int32) Row {
		site := &r.Profile.Sites[i]
		return Row{Title: export.SiteText(site), Class: site.Type, Line: site.Line,
			File: export.SourcePath(site.Class, site.Source)}
	}}
}

func (r *Recording) threadRows(s *selection) *table {
	byThread := make([][2]int64, len(r.Profile.Threads)+1)
	for k, thread := range r.cells.thread {
		add(&byThread[thread+1], s.cells[k])
	}
	numbers, titles := map[string]int{}, []Row{{Title: "(no thread)"}}
	rows := []rowAmounts{{self: byThread[0]}}
	for i := range r.Profile.Threads {
		t := &r.Profile.Threads[i]
		n, known := numbers[t.Title()]
		if !known {
			n = len(rows)
			numbers[t.Title()] = n
			rows, titles = append(rows, rowAmounts{}), append(titles, Row{Title: t.Title()})
		}
		rows[n].self[0] += byThread[i+1][0]
		rows[n].self[1] += byThread[i+1][1]
		titles[n].Number += int64(max(1, t.Merged))
	}
	for i := range rows {
		rows[i].all = rows[i].self
	}
	return &table{amounts: rows, row: func(i int32) Row { return titles[i] }}
}

// transactionRows has what was done in transactions, and in none inside them; their number and sizes where all of the
// recording is selected.
func (r *Recording) transactionRows(s *selection) *table {
	rows := make([]rowAmounts, len(r.Profile.Methods)+1) // the first is of none
	for k, context := range r.cells.context {
		add(&rows[r.in[context]+1].self, s.cells[k])
	}
	for i := range rows {
		rows[i].all = rows[i].self
	}
	return &table{amounts: rows, row: func(i int32) Row {
		if i == 0 {
			return Row{Title: "(none)"}
		}
		row := Row{Title: r.Profile.TransactionName(i - 1)}
		if sizes := r.Profile.TransactionSizes(row.Title); sizes != nil && s.all {
			row.Number, row.Typical, row.Most = sizes.Ended, sizes.Quantile(0.5), sizes.Most
		}
		return row
	}}
}
