package view

import (
	"errors"
	"slices"

	"mallard/internal/export"
)

// mostLines bounds how many lines of source an answer has.
const mostLines = 2000

// Source is lines of a source file with what they have allocated and led to.
type Source struct {
	File  string       `json:"file"`
	Place string       `json:"place"` // where the lines are from; "" where they were not found
	Count int          `json:"count"` // of lines that there are
	Lines []SourceLine `json:"lines"` // some of them
	First int32        `json:"first"` // the line that was asked for, or the one that led to most
}

// SourceLine is a line, the numbers being those of all methods in it.
type SourceLine struct {
	Line int32    `json:"line"`
	Text string   `json:"text"`
	Self [2]int64 `json:"self"`
	All  [2]int64 `json:"all"`
}

// ErrSource is what Source returns for a file that nothing was allocated in.
var ErrSource = errors.New("view: no lines of this file are known")

// Source gives lines of a file around one; 0 for the one that led to most. find gives the file's lines and where they
// are from. Its error is ErrSource: no other file is read.
func (r *Recording) Source(q Query, file string, line int32,
	find func(file string) (lines []string, place string, found bool)) (*Source, error) {
	selected := r.selected(q)
	rows := r.table(selected, "line")
	inFile := r.methodsIn(file)
	byLine, most := map[int32]*SourceLine{}, (*SourceLine)(nil)
	for i, row := range r.lines.lines {
		if !inFile[row.method] || row.line < 1 {
			continue
		}
		at := byLine[row.line]
		if at == nil {
			at = &SourceLine{Line: row.line}
			byLine[row.line] = at
		}
		amounts := &rows.amounts[i]
		add(&at.Self, amount{amounts.self[0], amounts.self[1]})
		add(&at.All, amount{amounts.all[0], amounts.all[1]})
		if most == nil || at.All[1] > most.All[1] {
			most = at
		}
	}
	if file == "" || !slices.Contains(inFile, true) {
		return nil, ErrSource
	}
	s := &Source{File: file, First: line, Lines: []SourceLine{}}
	if line < 1 && most != nil {
		s.First = most.Line
	}
	text, place, found := find(file)
	if !found {
		for _, at := range byLine {
			s.Lines = append(s.Lines, *at)
		}
		slices.SortFunc(s.Lines, func(a, b SourceLine) int { return int(a.Line - b.Line) })
		s.Count = len(s.Lines)
		s.Lines = s.Lines[:min(len(s.Lines), mostLines)]
		return s, nil
	}
	s.Place, s.Count = place, len(text)
	from := max(0, min(int(s.First)-mostLines/2, len(text)-mostLines))
	for i, text := range text[from:min(len(text), from+mostLines)] {
		at := SourceLine{Line: int32(from + i + 1)}
		if counted := byLine[at.Line]; counted != nil {
			at = *counted
		}
		at.Text = text
		s.Lines = append(s.Lines, at)
	}
	return s, nil
}

// methodsIn reports of each method whether it is in a file.
func (r *Recording) methodsIn(file string) []bool {
	is := make([]bool, len(r.named))
	for i := range r.Profile.Methods {
		m := &r.Profile.Methods[i]
		is[i] = export.SourcePath(m.Class, m.Source) == file
	}
	return is
}

// File gives the source file of a method's name; "" where it is not known.
func (r *Recording) File(key string) string {
	if method := r.method(key); method >= 0 {
		m := &r.Profile.Methods[method]
		return export.SourcePath(m.Class, m.Source)
	}
	return ""
}
