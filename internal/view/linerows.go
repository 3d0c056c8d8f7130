package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"mallard/internal/export"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// numberLines finds the lines.
func (r *Recording) numberLines() *lineNumbers {
	p, numbers, met := r.Profile, map[sourceLine]int32{}, []sourceLine{}
	number := func(context, line int32) int32 {
		at := sourceLine{p.Contexts[context].Method, line}
		n, known := numbers[at]
		if !known {
			n = int32(len(met))
			numbers[at] = n
			met = append(met, at)
		}
		return n
	}
	l := &lineNumbers{ofContext: make([]int32, len(p.Contexts)), ofSite: make([]int32, len(r.cells.site))}
	for i := range p.Contexts {
		c := &p.Contexts[i]
		l.ofContext[i] = -1
		if c.Parent >= 0 && p.Methods[p.Contexts[c.Parent].Method].Class != "" { // other frames have no lines
			l.ofContext[i] = number(c.Parent, c.Line)
		}
	}
	for k, site := range r.cells.site {
		l.ofSite[k] = number(r.cells.context[k], p.Sites[site].Line)
	}
	order := make([]int32, len(met))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(met[i].method, met[j].method), cmp.Compare(met[i].line, met[j].line))
	})
	renumbered := make([]int32, len(met))
	for to, from := range order {
		l.lines = append(l.lines, met[from])
		renumbered[from] = int32(to)
	}
	for _, list := range [][]int32{l.ofContext, l.ofSite} {
		for i, n := range list {
			if n >= 0 {
				list[i] = renumbered[n]
			}
		}
	}
	return l
}

// lineRows has a row for each line. What it has led to counts once where it leads to itself.
func (r *Recording) lineRows(s *selection) *table {
	if r.lines == nil {
		r.lines = r.numberLines()
	}
	l, p := r.lines, r.Profile
	rows, active := make([]rowAmounts, len(l.lines)), make([]int32, len(l.lines))
	for i := range p.Contexts {
		if n := l.ofContext[i]; n >= 0 && int32(i) >= active[n] {
			add(&rows[n].all, s.sums.objects[i], s.sums.bytes[i])
			active[n] = r.ends[i]
		}
		for k := r.first[i]; k < r.first[i+1]; k++ {
			n := l.ofSite[k]
			add(&rows[n].self, s.cells.objects[k], s.cells.bytes[k])
			if int32(i) >= active[n] {
				add(&rows[n].all, s.cells.objects[k], s.cells.bytes[k])
			}
		}
	}
	fronts := make([]string, len(p.Methods)) // of titles, up to the number of the line
	ending := func(i int32) (group int32, front, rest string) {
		at := l.lines[i]
		m := &p.Methods[at.method]
		if fronts[at.method] == "" {
			fronts[at.method] = strings.TrimSuffix(lineTitle(m, 1), "1)")
		}
		if front := fronts[at.method]; at.line > 0 && strings.HasSuffix(front, ":") {
			return at.method, front, strconv.Itoa(int(at.line)) + ")"
		}
		return int32(len(fronts)), "", lineTitle(m, at.line)
	}
	return &table{amounts: rows, ending: ending, groups: len(fronts) + 1, row: func(i int32) Row {
		at := l.lines[i]
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
