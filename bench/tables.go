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

// means ends a table whose first two columns have no factors with the geometric means of the others.
func (t *table) means(columns [][]float64) {
	cells := []string{meanRow, ""}
	for _, values := range columns {
		cells = append(cells, number("%.3f", geometricMean(values)))
	}
	t.row(cells...)
}

// tables has a part's figures; none if it was not measured.
func (f *Figures) tables(part string) []*table {
	var tables []*table
	switch part {
	case "rates":
		tables = bySubject(f.Rates, func(r Rate) subject { return r.subject }, f.ratesTable)
	case "increments":
		tables = bySubject(f.Increments, func(r Increments) subject { return r.subject }, incrementsTable)
	case "frequencies":
		tables = bySubject(f.Frequencies, func(r Frequencies) subject { return r.subject }, frequenciesTable)
	case "attribution":
		tables = bySubject(f.Attribution, func(r Attribution) subject { return r.subject }, attributionTable)
		tables = append(tables, bySubject(f.Attribution, func(r Attribution) subject { return r.subject },
			elementsTable)...)
	case "adaptation":
		tables = bySubject(f.Adaptation, func(r Adaptation) subject { return r.subject }, adaptationTable)
	case "instrumenting":
		if f.Instrumenting != nil {
			tables = append(tables, f.Instrumenting.table())
		}
	case "runtime":
		tables = f.runtimeTables()
	case "turns":
		tables = turnsTables(f.Turns)
	case "startup":
		tables = startupTables(f.Startup)
	case "counters":
		if len(f.Counters) > 0 {
			tables = append(tables, f.countersTable())
		}
	case "events":
		if f.Events != nil {
			tables = f.Events.tables()
		}
	}
	return tables
}

// bySubject makes a table for each JDK, with the workloads in their order.
func bySubject[R any](rows []R, subjectOf func(R) subject, make func(jdk string, rows []R) *table) []*table {
	rows = slices.Clone(rows)
	sortBySubject(rows, subjectOf)
	var tables []*table
	for len(rows) > 0 {
		jdk := subjectOf(rows[0]).JDK
		n := slices.IndexFunc(rows, func(r R) bool { return subjectOf(r).JDK != jdk })
		if n < 0 {
			n = len(rows)
		}
		tables = append(tables, make(jdk, rows[:n]))
		rows = rows[n:]
	}
	return tables
}

func (f *Figures) ratesTable(jdk string, rows []Rate) *table {
	t := newTable("rates-"+jdk, fmt.Sprintf("Workloads, JDK %s, %s %s", jdk, f.Heap, youngGeneration),
		"program", "work", "seconds", "CPU seconds", "allocated MB", "MB/s, timed iterations",
		"processors that others had")
	enough := 0
	for _, r := range rows {
		t.row(r.Workload, r.About, fmt.Sprintf("%.1f", r.Seconds), fmt.Sprintf("%.1f", r.CPUSeconds),
			fmt.Sprintf("%.0f", r.Megabytes),
			fmt.Sprintf("%.0f", r.MegabytesPerSecond), percent(r.Others))
		if r.MegabytesPerSecond >= 500 {
			enough++
		}
	}
	t.note = fmt.Sprintf("%d of %d allocate 500 MB a second or more.", enough, len(rows))
	return t
}

func incrementsTable(jdk string, rows []Increments) *table {
	t := newTable("increments-"+jdk, "Increments per allocation, JDK "+jdk, append([]string{"program", "objects"},
		placements...)...)
	means := make([][]float64, len(placements))
	for _, r := range rows {
		cells := []string{r.Workload, fmt.Sprint(r.Objects)}
		for i, placement := range placements {
			cells = append(cells, fmt.Sprintf("%.3f", r.Placements[placement]))
			means[i] = append(means[i], r.Placements[placement])
		}
		t.row(cells...)
	}
	t.means(means)
	return t
}

func frequenciesTable(jdk string, rows []Frequencies) *table {
	t := newTable("frequencies-"+jdk,
		"Optimal placement on estimated and on true frequencies, increments per allocation, JDK "+jdk,
		"program", "estimated", "adapted once", "entries known", "adapted twice", "true",
		"estimated / true", "one per allocating iteration", "method that explains most of the difference")
	for _, r := range rows {
		perIteration, worst := "", ""
		if r.PerIteration > 0 {
			perIteration = fmt.Sprintf("%.3f", r.PerIteration)
		}
		if len(r.Worst) > 0 {
			worst = fmt.Sprintf("%s (%.0f %%)", r.Worst[0].Method, 100*r.Worst[0].Share)
		}
		t.row(r.Workload, fmt.Sprintf("%.3f", r.Static), fmt.Sprintf("%.3f", r.Adapted[0]),
			fmt.Sprintf("%.3f", r.Entries), fmt.Sprintf("%.3f", r.Adapted[1]), fmt.Sprintf("%.3f",
				r.True), fmt.Sprintf("%.2f", r.Static/r.True), perIteration, worst)
	}
	return t
}

func (in *Instrumenting) table() *table {
	t := newTable("instrumenting", fmt.Sprintf("Instrumenting the %d classes of java.base %s", in.Classes, in.JDK), "",
		"median µs", "99th percentile µs", "all, ms")
	for _, r := range in.Times {
		t.row(r.What, fmt.Sprintf("%.1f", r.Median), fmt.Sprintf("%.1f", r.P99), fmt.Sprintf("%.0f", r.Total))
	}
	return t
}

func percent(share float64) string { return number("%.0f %%", 100*share) }

// countersTable has a row for each candidate and a column for each way to execute it.
func (f *Figures) countersTable() *table {
	type key struct{ jdk, compiler, shape string }
	var columns []key
	var candidates []string
	cells := map[key]map[string]string{}
	for _, r := range f.Counters {
		k := key{r.JDK, r.Compiler, r.Shape}
		if cells[k] == nil {
			columns = append(columns, k)
			cells[k] = map[string]string{}
		}
		if !slices.Contains(candidates, r.Candidate) {
			candidates = append(candidates, r.Candidate)
		}
		cells[k][r.Candidate] = fmt.Sprintf("%+.2f", r.Nanos.Median)
	}
	header := []string{"ns"}
	for _, k := range columns {
		header = append(header, fmt.Sprintf("%s %s, %s", k.jdk, k.compiler, k.shape))
	}
	t := newTable("counters", "A counter's cost beside an allocation", header...)
	for _, candidate := range candidates {
		row := []string{candidate}
		for _, k := range columns {
			row = append(row, cells[k][candidate])
		}
		t.row(row...)
	}
	return t
}
