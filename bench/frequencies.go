package main

import "fmt"

// Frequencies compares placement on estimated frequencies with placement on the true ones, in updates per allocation.
type Frequencies struct {
	subject
	Objects float64 `json:"objects"` // that paths count
	// optimal on estimated frequencies, executed as often as edges really were
	Static  float64    `json:"static"`
	True    float64    `json:"true"`    // optimal on the frequencies that the run turned out to have
	Adapted [2]float64 `json:"adapted"` // optimal, placed again once and twice by what its own counters say
	// the same once, with a counter at the entry besides, its increments not counted
	Entries      float64            `json:"entries"`
	Worst        []MisplacedCounter `json:"worst"` // methods that account for most of the difference
	PerIteration float64            `json:"yardstick,omitempty"`
}

// MisplacedCounter is a method whose estimated frequencies mislead.
type MisplacedCounter struct {
	Method string  `json:"method"`
	Share  float64 `json:"share"` // of the workload's difference
	Static float64 `json:"static"`
	True   float64 `json:"true"`
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
