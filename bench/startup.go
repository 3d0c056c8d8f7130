package main

import "fmt"

// Startup is the time of a whole short process, started one way, in each round.
type Startup struct {
	startKey
	Part   string    `json:"part,omitempty"` // of the cost: what this way adds to the one before
	Millis []float64 `json:"millis"`
	// processor time, which a busy machine disturbs less; that of whoever answers the JVM is included
	CPU    []float64 `json:"cpu_millis"`
	Others []float64 `json:"others"`
}

type startKey struct {
	JDK     string `json:"jdk"`
	Program string `json:"program"`
	How     string `json:"how"`
}

// The way that is measured besides, for the choice that was made against it.
const lateHook = "late hook"

// startupTables has the time on the wall and the processor time, each with a row for each program on each JDK and a
// column for each part of the cost: the median of what a way took more than the one before in the same round.
func startupTables(rows []Startup) []*table {
	if len(rows) == 0 {
		return nil
	}
	wall := func(r Startup) []float64 { return r.Millis }
	processor := func(r Startup) []float64 { return r.CPU }
	return []*table{
		partsTable("startup-wall", "Start-up and its parts, ms of the whole process", rows, wall),
		partsTable("startup-processor", "Start-up and its parts, ms of processor time, the recorder's included", rows,
			processor),
	}
}

func partsTable(name, title string, rows []Startup, of func(Startup) []float64) *table {
	type program struct{ jdk, name string }
	var programs []program
	cells := map[program][]Startup{}
	for _, r := range rows {
		p := program{r.JDK, r.Program}
		if cells[p] == nil {
			programs = append(programs, p)
		}
		cells[p] = append(cells[p], r)
	}
	header := []string{"program", "JDK", plain}
	for _, r := range cells[programs[0]] {
		if r.Part != "" {
			header = append(header, r.Part)
		}
	}
	t := newTable(name, title, append(header, "mallard run", "factor", lateHook+" instead")...)
	for _, p := range programs {
		var parts []string
		var first, last, late Startup
		for _, r := range cells[p] {
			switch {
			case r.How == plain:
				first = r
			case r.How == lateHook:
				late = r
				continue
			default:
				parts = append(parts, number("%+.0f", median(differences(of(r), of(last)))))
			}
			last = r
		}
		row := append([]string{p.name, p.jdk, spread(of(first)).text("%.0f")}, parts...)
		t.row(append(row, spread(of(last)).text("%.0f"), fmt.Sprintf("%.1f", median(of(last))/median(of(first))),
			spread(of(late)).text("%.0f"))...)
	}
	return t
}

// differences of the values of the same rounds.
func differences(a, b []float64) []float64 {
	var list []float64
	for i := range min(len(a), len(b)) {
		list = append(list, a[i]-b[i])
	}
	return list
}
