package profile

import "slices"

// contextRows answers a query by context. There may be millions of rows, of which
// few are asked for: a Row is made for these.
func (p *Profile) contextRows(answer *Answer) {
	q := answer.Query
	cells := p.Cells(q.Filter)
	for i := range cells {
		answer.Selected.Add(cells[i].Amount)
	}
	if q.Mine != nil {
		cells = p.foldedCells(cells, q.Mine)
	}
	answer.Count = len(cells)
	slices.SortStableFunc(cells, func(a, b Cell) int { return q.Sort.compare(a.Amount, b.Amount) })
	if q.Top > 0 && len(cells) > q.Top {
		cells = cells[:q.Top]
	}
	answer.Rows = make([]Row, len(cells))
	for i, c := range cells {
		site := &p.Sites[c.Site]
		answer.Rows[i] = Row{Class: site.Type, Array: site.Array, Site: site, Loader: site.Loader, Context: c.Context,
			Amount: c.Amount, Folded: q.Mine}
	}
}

// Cells sums the selected cells of all threads, in order of sites and
// contexts. Sums of nothing are left out.
func (p *Profile) Cells(f Filter) []Cell {
	selected := p.selected(f)
	var cells []Cell
	for i := range p.Threads {
		thread := &p.Threads[i]
		if !f.thread(thread) {
			continue
		}
		for k := range thread.Cells {
			if c := &thread.Cells[k]; selected.cell(c) {
				cells = append(cells, *c)
			}
		}
	}
	slices.SortStableFunc(cells, compareCells)
	sums := cells[:0]
	for _, c := range cells {
		last := len(sums) - 1
		switch {
		case last >= 0 && compareCells(sums[last], c) == 0:
			sums[last].Amount.Add(c.Amount)
		case last >= 0 && sums[last].Amount.IsZero():
			sums[last] = c
		default:
			sums = append(sums, c)
		}
	}
	if last := len(sums) - 1; last >= 0 && sums[last].Amount.IsZero() {
		sums = sums[:last]
	}
	return sums
}
