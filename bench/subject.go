package main

import (
	"slices"
	"strings"
)

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

// A subject is a workload on a JDK, named by its release.
type subject struct {
	JDK      string `json:"jdk"`
	Workload string `json:"workload"`
}

// sortBySubject puts rows in the order of JDKs, and for each in that of the workloads.
func sortBySubject[R any](rows []R, subjectOf func(R) subject) {
	position := func(name string) int {
		return slices.IndexFunc(workloads, func(w Workload) bool { return w.Name == name })
	}
	slices.SortStableFunc(rows, func(a, b R) int {
		x, y := subjectOf(a), subjectOf(b)
		if x.JDK != y.JDK {
			return strings.Compare(x.JDK, y.JDK)
		}
		return position(x.Workload) - position(y.Workload)
	})
}
