package view

import (
	"strconv"
	"strings"

	"mallard/internal/export"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// lineRows has a row for each line. What it has led to counts once where it leads to itself.
func (r *Recording) lineRows(s *selection) *table {
	if r.lines == nil {
		r.lines = numberLines(r.Profile, &r.cells, r.ends)
	}
	l, p := r.lines, r.Profile
	rows := make([]rowAmounts, len(l.lines))
	scratch := r.scratchFor(max(len(s.sums), len(s.cells)))
	l.contexts.add(rows, s.sums, scratch, false)
	l.cells.add(rows, s.cells, scratch, true)
	fronts := make([]string, len(p.Methods)) // of titles, up to the number of the line
	for i := range fronts {
		fronts[i] = strings.TrimSuffix(lineTitle(&p.Methods[i], 1), "1)")
	}
	ending := func(i int32) (group int32, front, rest string) {
		at := &l.lines[i]
		m := &p.Methods[at.method]
		if front := fronts[at.method]; at.line > 0 && strings.HasSuffix(front, ":") {
			return at.method, front, strconv.Itoa(int(at.line)) + ")"
		}
		return int32(len(fronts)), "", lineTitle(m, at.line)
	}
	return &table{amounts: rows, ending: ending, groups: len(fronts) + 1, row: func(i int32) Row {
		at := &l.lines[i]
		m := &p.Methods[at.method]
		_, front, rest := ending(i)
		return Row{Title: front + rest, File: export.SourcePath(m.Class, m.Source), Line: at.line,
			Key: r.key(name{ofMethod, r.named[at.method], -1})}
	}}
}

// lineTitle is how a line of a method is written in full.
func lineTitle(m *symbols.Method, line int32) string {
	return export.SiteText(&profile.Site{Class: m.Class, Method: m.Name, BCI: -1, Line: line, Source: m.Source})
}
