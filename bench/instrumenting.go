package main

import "fmt"

// ClassTimes is the time for one class, over all classes of java.base, in one pass over them.
type ClassTimes struct {
	What   string  `json:"what"`
	Median float64 `json:"median_us"`
	P99    float64 `json:"p99_us"`
	Total  float64 `json:"total_ms"`
}

// Instrumenting compares rewriting with ASM's reading and writing.
type Instrumenting struct {
	JDK     string       `json:"jdk"`
	Classes int          `json:"classes"`
	Times   []ClassTimes `json:"times"`
}

func (in *Instrumenting) table() *table {
	t := newTable("instrumenting", fmt.Sprintf("Instrumenting the %d classes of java.base %s", in.Classes, in.JDK), "",
		"median µs", "99th percentile µs", "all, ms")
	for _, r := range in.Times {
		t.row(r.What, fmt.Sprintf("%.1f", r.Median), fmt.Sprintf("%.1f", r.P99), fmt.Sprintf("%.0f", r.Total))
	}
	return t
}
