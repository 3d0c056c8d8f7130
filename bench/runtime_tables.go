package main

import (
	"fmt"
	"math"
	"slices"
)

func runtimeTables(heap string, all []*Cell) []*table {
	order, cells := bySetting(all)
	if len(order) == 0 {
		return nil
	}
	tables := []*table{summaryTable(order, cells)}
	for _, p := range order {
		tables = append(tables, runtimeTable(p, heap, cells[p]), contextsTable(p, cells[p]), peersTable(p, cells[p]),
			memoryTable(p, cells[p]))
	}
	return slices.DeleteFunc(tables, func(t *table) bool { return t == nil })
}

// mean is the geometric mean of the cells' medians; not a number if a variant was not run.
func mean(cells []*Cell, variant string, of func(Run) float64) float64 {
	var medians []float64
	for _, c := range cells {
		if ratios := c.ratios(variant, of); len(ratios) > 0 {
			medians = append(medians, median(ratios))
		}
	}
	return geometricMean(medians)
}

// summaryTable has a row for each setting, so that settings can be compared.
func summaryTable(order []settingKey, cells map[settingKey][]*Cell) *table {
	t := newTable("runtime", "Factors of the plain run, geometric means", "JDK", "collector", "programs", "rounds",
		"mallard, whole process", "without the class cache", "mallard, steady state", "worst steady state",
		"memory of the JVM", "JFR, whole process", "JFR, steady state", "JFR with allocations, steady state")
	for _, p := range order {
		list := cells[p]
		rounds, worst, worstName := math.MaxInt, 0.0, ""
		for _, c := range list {
			rounds = min(rounds, len(c.Rounds))
			if m := median(c.ratios(mallard, steady)); m > worst {
				worst, worstName = m, c.Workload
			}
		}
		t.row(p.jdk, p.collector, fmt.Sprint(len(list)), fmt.Sprint(rounds), number("%.2f", mean(list, mallard, whole)),
			number("%.2f", mean(list, mallardNoCache, whole)), number("%.2f", mean(list, mallard, steady)),
			fmt.Sprintf("%.2f %s", worst, worstName), number("%.2f", mean(list, mallard, memory)), number("%.2f",
				mean(list, jfr, whole)),
			number("%.2f", mean(list, jfr, steady)), number("%.2f", mean(list, jfrAllocations, steady)))
	}
	return t
}

func runtimeTable(p settingKey, heap string, cells []*Cell) *table {
	t := newTable("runtime-"+p.file(), fmt.Sprintf("Run time with Mallard as a factor of the plain run, %v, %s", p,
		heap), "program", "plain s", "whole process", "without the class cache", "steady state",
		"CPU time", "increments per allocation", "without adaptation", "processors that others had")
	for _, c := range cells {
		others := spread(slices.Concat(c.values(plain, others), c.values(mallard, others)))
		each, unadapted := c.increments()
		t.row(c.Workload, number("%.1f", median(c.values(plain, whole))), c.ratio(mallard, whole),
			c.ratio(mallardNoCache, whole), c.ratio(mallard, steady), c.ratio(mallard, cpu), each, unadapted,
			fmt.Sprintf("%s, at most %s", percent(others.Median), percent(others.Max)))
	}
	t.row(meanRow, "", number("%.2f", mean(cells, mallard, whole)), number("%.2f", mean(cells, mallardNoCache, whole)),
		number("%.2f", mean(cells, mallard, steady)),
		number("%.2f", mean(cells, mallard, cpu)), "", "", "")
	return t
}

// A column of a table of factors: what one variant takes of the plain run.
type factor struct {
	header, variant string
	of              func(Run) float64
}

// contextsTable has what contexts take, and the stack of every object by the JVM's own means; nil if no contexts were
// recorded.
func contextsTable(p settingKey, cells []*Cell) *table {
	return factorTable("runtime-contexts-"+p.file(), fmt.Sprintf("Contexts, factors of the plain run, %v", p), cells,
		mallardContexts, []factor{
			{"steady state", mallardContexts, steady}, {"stacks of every object by JVMTI", everyObject, steady},
			{"whole process", mallardContexts, whole}, {"CPU time", mallardContexts, cpu}, {"memory of the JVM",
				mallardContexts, memory},
		})
}

// peersTable sets Flight Recorder beside Mallard; nil if it was not run.
func peersTable(p settingKey, cells []*Cell) *table {
	ran := jfr
	if math.IsNaN(mean(cells, jfr, whole)) {
		ran = jfrAllocations
	}
	return factorTable("runtime-peers-"+p.file(),
		fmt.Sprintf("Flight Recorder beside Mallard, factors of the plain run, %v", p), cells, ran, []factor{
			{"whole process: mallard", mallard, whole}, {"JFR", jfr, whole}, {"JFR with allocations", jfrAllocations,
				whole},
			{"steady state: mallard", mallard, steady}, {"JFR", jfr, steady}, {"JFR with allocations", jfrAllocations,
				steady},
		})
}

// factorTable has a row for each program and their means; nil if a variant was not run.
func factorTable(name, title string, cells []*Cell, variant string, columns []factor) *table {
	if math.IsNaN(mean(cells, variant, whole)) {
		return nil
	}
	header, last := []string{"program"}, []string{meanRow}
	for _, column := range columns {
		header = append(header, column.header)
		last = append(last, number("%.2f", mean(cells, column.variant, column.of)))
	}
	t := newTable(name, title, header...)
	for _, c := range cells {
		row := []string{c.Workload}
		for _, column := range columns {
			row = append(row, c.ratio(column.variant, column.of))
		}
		t.row(row...)
	}
	t.row(last...)
	return t
}

// The goal for memory: the JVM's and the recorder's together against the plain JVM's.
const (
	memoryFactor = 1.05
	memoryMB     = 20
)

func memoryTable(p settingKey, cells []*Cell) *table {
	t := newTable("runtime-memory-"+p.file(), fmt.Sprintf("Most memory resident, MB, %v", p), "program", "plain",
		"with Mallard", "ratio", "recorder",
		fmt.Sprintf("both less %.2f × plain; the goal is %d", memoryFactor, memoryMB))
	for _, c := range cells {
		without, with, recorder := median(c.values(plain, memory)), median(c.values(mallard,
			memory)), median(c.values(mallard, recorder))
		t.row(c.Workload, number("%.0f", without), number("%.0f", with), c.ratio(mallard, memory),
			number("%.0f", recorder), number("%+.0f", with+recorder-memoryFactor*without))
	}
	t.row(meanRow, "", "", number("%.2f", mean(cells, mallard, memory)), "", "")
	return t
}
