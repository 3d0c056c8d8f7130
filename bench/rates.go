package main

import "fmt"

// Rate is how much a workload allocates.
type Rate struct {
	subject
	About              string  `json:"about"`
	Seconds            float64 `json:"seconds"`              // whole process
	CPUSeconds         float64 `json:"cpu_seconds"`          // compiler and collector threads included
	Megabytes          float64 `json:"megabytes"`            // allocated, from the collector's log
	MegabytesPerSecond float64 `json:"megabytes_per_second"` // while the timed iterations ran
	Others             float64 `json:"others"`
	Checksum           string  `json:"checksum"`
}

// youngGeneration makes collections frequent, and what happens between two of them short.
const youngGeneration = "-Xmn64m"

func ratesTable(jdk, heap string, rows []Rate) *table {
	t := newTable("rates-"+jdk, fmt.Sprintf("Workloads, JDK %s, %s %s", jdk, heap, youngGeneration),
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
