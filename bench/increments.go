package main

import "fmt"

// Increments is what counting costs a workload in updates of profiling state, which is deterministic up to the JVM's
// own threads.
type Increments struct {
	subject
	Objects    int64              `json:"objects"`
	Placements map[string]float64 `json:"placements"` // updates per allocation
}

var placements = []string{"site", "ducktracks", "optimal"}

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
