package main

import (
	"fmt"
	"slices"
)

// CounterCandidate is a way to keep a counter, and what an increment costs beside an allocation of about a nanosecond.
type CounterCandidate struct {
	JDK       string `json:"jdk"`
	Compiler  string `json:"compiler"`
	Pattern   string `json:"pattern"` // loop: many turns in a call; call: one
	Candidate string `json:"candidate"`
	Nanos     Spread `json:"nanos"` // more than without a counter; of "none": the allocation itself
}

// countersTable has a row for each candidate and a column for each way to execute it.
func countersTable(rows []CounterCandidate) *table {
	type key struct{ jdk, compiler, pattern string }
	var columns []key
	var candidates []string
	cells := map[key]map[string]string{}
	for _, r := range rows {
		k := key{r.JDK, r.Compiler, r.Pattern}
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
		header = append(header, fmt.Sprintf("%s %s, %s", k.jdk, k.compiler, k.pattern))
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
