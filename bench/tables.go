package main

import (
	"fmt"
	"slices"
	"strings"
)

// table writes a Markdown table: the header, then rows of as many cells.
type table struct{ strings.Builder }

func newTable(title string, header ...string) *table {
	t := new(table)
	fmt.Fprintf(t, "### %s\n\n", title)
	t.row(header...)
	t.row(strings.Split(strings.Repeat("---,", len(header)-1)+"---", ",")...)
	return t
}

func (t *table) row(cells ...string) {
	fmt.Fprintf(t, "| %s |\n", strings.Join(cells, " | "))
}

// tables prints all figures as Markdown.
func (f *Figures) tables() string {
	out := fmt.Sprintf("Workloads: JDK %s, %s, %d processors.\n\n", f.JDK, f.Options, f.Processors)
	var all []*table
	if len(f.Rates) > 0 {
		all = append(all, f.ratesTable())
	}
	if len(f.Increments) > 0 {
		all = append(all, f.incrementsTable())
	}
	if len(f.Frequencies) > 0 {
		all = append(all, f.frequenciesTable())
	}
	if f.Instrumenting != nil {
		all = append(all, f.instrumentingTable())
	}
	if len(f.Runtime) > 0 {
		all = append(all, f.runtimeTable())
	}
	if len(f.Startup) > 0 {
		all = append(all, f.startupTable())
	}
	if len(f.Counters) > 0 {
		all = append(all, f.countersTable())
	}
	for _, t := range all {
		out += t.String() + "\n"
	}
	return out
}

func (f *Figures) ratesTable() *table {
	t := newTable("Workloads", "program", "work", "seconds", "CPU seconds", "allocated MB", "MB/s")
	for _, r := range f.Rates {
		t.row(r.Workload, r.About, fmt.Sprintf("%.1f", r.Seconds), fmt.Sprintf("%.1f", r.CPUSeconds), fmt.Sprintf("%.0f", r.Megabytes),
			fmt.Sprintf("%.0f", r.MegabytesPerSecond))
	}
	return t
}

func (f *Figures) incrementsTable() *table {
	t := newTable("Increments per allocation", append([]string{"program", "objects"}, placements...)...)
	for _, r := range f.Increments {
		cells := []string{r.Workload, fmt.Sprint(r.Objects)}
		for _, placement := range placements {
			cells = append(cells, fmt.Sprintf("%.3f", r.Placements[placement]))
		}
		t.row(cells...)
	}
	return t
}

func (f *Figures) frequenciesTable() *table {
	t := newTable("Optimal placement on estimated and on true frequencies, increments per allocation", "program", "estimated", "true", "estimated / true", "one per allocating iteration",
		"method that explains most of the difference")
	for _, r := range f.Frequencies {
		yard, worst := "", ""
		if r.Yards > 0 {
			yard = fmt.Sprintf("%.3f", r.Yards)
		}
		if len(r.Worst) > 0 {
			worst = fmt.Sprintf("%s (%.0f %%)", r.Worst[0].Method, 100*r.Worst[0].Share)
		}
		t.row(r.Workload, fmt.Sprintf("%.3f", r.Static), fmt.Sprintf("%.3f", r.True), fmt.Sprintf("%.2f", r.Static/r.True), yard, worst)
	}
	return t
}

func (f *Figures) instrumentingTable() *table {
	t := newTable(fmt.Sprintf("Instrumenting the %d classes of java.base %s", f.Instrumenting.Classes, f.Instrumenting.JDK),
		"", "median µs", "99th percentile µs", "all, ms")
	for _, r := range f.Instrumenting.Times {
		t.row(r.What, fmt.Sprintf("%.1f", r.Median), fmt.Sprintf("%.1f", r.P99), fmt.Sprintf("%.0f", r.Total))
	}
	return t
}

func (f *Figures) runtimeTable() *table {
	t := newTable("Run time with Mallard as a factor of the plain run", "program", "plain s", "whole process", "steady state", "CPU time")
	var whole, steady, cpu []float64
	for _, r := range f.Runtime {
		t.row(r.Workload, fmt.Sprintf("%.1f", r.PlainSeconds), r.Whole.String(), r.Steady.String(), r.CPU.String())
		whole, steady, cpu = append(whole, r.Whole.Median), append(steady, r.Steady.Median), append(cpu, r.CPU.Median)
	}
	t.row("geometric mean", "", fmt.Sprintf("%.2f", geometricMean(whole)), fmt.Sprintf("%.2f", geometricMean(steady)),
		fmt.Sprintf("%.2f", geometricMean(cpu)))
	return t
}

func (f *Figures) startupTable() *table {
	t := newTable("Start-up, whole process", "program", "JDK", "how", "ms", "factor of plain", "CPU ms")
	for _, r := range f.Startup {
		t.row(r.Program, r.JDK, r.How, fmt.Sprintf("%.0f (%.0f–%.0f)", r.Millis.Median, r.Millis.Min, r.Millis.Max), fmt.Sprintf("%.2f", r.Ratio),
			fmt.Sprintf("%.0f (%.0f–%.0f)", r.CPU.Median, r.CPU.Min, r.CPU.Max))
	}
	return t
}

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
	t := newTable("A counter's cost beside an allocation", header...)
	for _, candidate := range candidates {
		row := []string{candidate}
		for _, k := range columns {
			row = append(row, cells[k][candidate])
		}
		t.row(row...)
	}
	return t
}
