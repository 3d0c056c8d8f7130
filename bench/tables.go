package main

import (
	"fmt"
	"slices"
	"strings"
)

// A table has a name, which is that of its file, and rows of as many cells as the header.
type table struct {
	name, title string
	header      []string
	rows        [][]string
	note        string // a sentence about the rows
}

func newTable(name, title string, header ...string) *table {
	return &table{name: name, title: title, header: header}
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// markdown prints some of the rows.
func (t *table) markdown(rows [][]string) string {
	var out strings.Builder
	line := func(cells []string) { fmt.Fprintf(&out, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.header)
	line(slices.Repeat([]string{"---"}, len(t.header)))
	for _, row := range rows {
		line(row)
	}
	return out.String()
}

func (t *table) String() string {
	text := "### " + t.title + "\n\n" + t.markdown(t.rows)
	if t.note != "" {
		text += "\n" + t.note + "\n"
	}
	return text
}

// meanRow is the name of the row with geometric means.
const meanRow = "geometric mean"

// means ends a table with the geometric means of its last columns, which have factors.
func (t *table) means(columns [][]float64) {
	cells := make([]string, len(t.header)-len(columns))
	cells[0] = meanRow
	for _, values := range columns {
		cells = append(cells, number("%.3f", geometricMean(values)))
	}
	t.row(cells...)
}

func percent(share float64) string { return number("%.0f %%", 100*share) }
