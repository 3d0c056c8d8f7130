package main

import "fmt"

// Adaptation compares a workload with adaptation and without, in one run of each. When a class is placed again depends
// on time, so the figures differ a little between runs.
type Adaptation struct {
	subject
	Objects   int64   `json:"objects"`
	Without   float64 `json:"without"` // updates per allocation
	With      float64 `json:"with"`
	Methods   uint64  `json:"methods"` // placed again
	Classes   uint64  `json:"classes"` // retransformed
	Live      uint64  `json:"live"`    // times that a class had a live frame
	JVM       float64 `json:"jvm_seconds"`
	Decisions float64 `json:"decision_seconds"`
	Executed  int64   `json:"executed"` // by adapted methods in their last version
	Baseline  int64   `json:"baseline"` // what their first placement would have made
}

func adaptationTable(jdk string, rows []Adaptation) *table {
	t := newTable("adaptation-"+jdk, "Increments per allocation without and with adaptation, one run of each, JDK "+jdk,
		"program", "objects", "without", "with", "methods", "classes retransformed", "ms in the JVM",
		"ms to decide", "increments of these methods, since", "in place of", "live frames met")
	for _, r := range rows {
		t.row(r.Workload, fmt.Sprint(r.Objects), fmt.Sprintf("%.3f", r.Without), fmt.Sprintf("%.3f", r.With),
			fmt.Sprint(r.Methods), fmt.Sprint(r.Classes),
			fmt.Sprintf("%.1f", 1000*r.JVM), fmt.Sprintf("%.1f",
				1000*r.Decisions), fmt.Sprint(r.Executed), fmt.Sprint(r.Baseline), fmt.Sprint(r.Live))
	}
	return t
}
