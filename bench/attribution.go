package main

import "fmt"

// Attribution says how many of the bytes that the JVM says it allocated Mallard has at a site. The compilers do not
// remove allocations in these runs.
type Attribution struct {
	subject
	JVM     int64            `json:"jvm_bytes"`
	Counted int64            `json:"counted_bytes"`
	ByCause map[string]int64 `json:"by_cause"` // of the difference, as `mallard info` has it
	Arrays  []Elements       `json:"arrays"`
}

// noEscapeAnalysis lets every allocation happen.
const noEscapeAnalysis = "-XX:-DoEscapeAnalysis"

// The goal for attribution, of the JVM's bytes.
const attributionGoal = 0.995

func attributionTable(jdk string, rows []Attribution) *table {
	t := newTable("attribution-"+jdk, fmt.Sprintf("Bytes that have a site, JDK %s, %s", jdk, noEscapeAnalysis),
		"program", "JVM's MB", "counted", "the JVM's own", "at no known site")
	enough := 0
	for _, r := range rows {
		of := func(bytes int64) string { return number("%.2f %%", 100*float64(bytes)/float64(r.JVM)) }
		t.row(r.Workload, fmt.Sprint(r.JVM>>20), of(r.Counted), of(r.ByCause["vm_start"]+r.ByCause["vm_threads"]),
			of(r.ByCause["unattributed"]))
		if float64(r.Counted) >= attributionGoal*float64(r.JVM) {
			enough++
		}
	}
	t.note = fmt.Sprintf("%d of %d have %.1f %% or more at a site.", enough, len(rows), 100*attributionGoal)
	return t
}

func elementsTable(jdk string, rows []Attribution) *table {
	header := append([]string{"program"}, elementTypes...)
	t := newTable("attribution-elements-"+jdk,
		fmt.Sprintf("Arrays by element type, number × mean length, and their bytes, JDK %s", jdk), append(header,
			"of all bytes")...)
	for _, r := range rows {
		cells, bytes := []string{r.Workload}, int64(0)
		for _, element := range elementTypes {
			cell := ""
			for _, e := range r.Arrays {
				if e.Element == element {
					cell = fmt.Sprintf("%s × %.1f", thousands(e.Arrays), float64(e.Elements)/float64(e.Arrays))
					bytes += e.Bytes
				}
			}
			cells = append(cells, cell)
		}
		t.row(append(cells, number("%.0f %%", 100*float64(bytes)/float64(r.Counted)))...)
	}
	return t
}
