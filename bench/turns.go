package main

import (
	"fmt"
	"slices"
)

// Turns is the processor time that a workload takes, the recorder's included, where the JVMs of all variants run at the
// same time and take turns: one iteration each, in an order that changes. Whatever others do on the machine they do to
// all of them alike, so that this can be measured where run time cannot.
type Turns struct {
	subject
	Collector string            `json:"collector"`
	Rounds    []map[string]Turn `json:"rounds"` // by variant
}

// A Turn is seconds of processor time, memory, and pauses.
type Turn struct {
	Whole    float64 `json:"whole"`                 // of the process
	Steady   float64 `json:"steady"`                // of the timed iterations, and what the JVM does meanwhile
	Elapsed  float64 `json:"elapsed,omitempty"`     // of the timed iterations, on the wall
	Memory   float64 `json:"memory_mb,omitempty"`   // of the JVM: the most that was resident
	Recorder float64 `json:"recorder_mb,omitempty"` // the same, of the recorder
	Pauses   *Pauses `json:"pauses,omitempty"`      // nil if the JVM's safepoints were not logged

	Threads map[string]float64 `json:"threads,omitempty"` // of Steady, by kind
}

// turned is a part that is measured in turns.
type turned struct {
	name, title string
	withMemory  bool // of JVM and recorder, as a factor, too
	withElapsed bool // wall time as well
}

var (
	sitesInTurns   = turned{"turns", "Processor time as a factor of the plain run's, in turns", false, false}
	tracksInTurns  = turned{"tracks", "What other tracks take, as a factor of the plain run's, in turns", true, false}
	objectsInTurns = turned{"objects", "Time with objects as a factor of the plain run's, in turns", false, true}
)

// turnsTables has a table for each JDK and collector: factors of the plain run.
func turnsTables(part turned, rows []Turns) []*table {
	return turnsBySetting(rows, func(key settingKey, rows []Turns) *table { return turnsTable(part, key, rows) })
}

// turnsBySetting makes a table for each JDK and collector.
func turnsBySetting(rows []Turns, make func(settingKey, []Turns) *table) []*table {
	var tables []*table
	for _, collector := range collectors {
		of := slices.DeleteFunc(slices.Clone(rows), func(r Turns) bool { return r.Collector != collector })
		tables = append(tables, bySubject(of, func(r Turns) subject { return r.subject },
			func(jdk string, rows []Turns) *table { return make(settingKey{jdk, collector}, rows) })...)
	}
	return tables
}

// comparedInTurns are the variants that ran beside the plain one.
func comparedInTurns(rows []Turns) []variant {
	return slices.DeleteFunc(slices.Clone(variants), func(v variant) bool {
		return v.name == plain ||
			!slices.ContainsFunc(rows, func(r Turns) bool { return r.Rounds[0][v.name].Whole > 0 })
	})
}

func turnsTable(part turned, key settingKey, rows []Turns) *table {
	others := comparedInTurns(rows)
	header := []string{"program", "rounds"}
	var columns []func(map[string]Turn) (factor float64, measured bool)
	add := func(title string, v variant, of func(Turn) float64) {
		header = append(header, title+v.name)
		columns = append(columns, func(round map[string]Turn) (float64, bool) {
			turn, ok := round[v.name]
			return of(turn) / of(round[plain]), ok
		})
	}
	for _, v := range others {
		add("steady state: ", v, func(t Turn) float64 { return t.Steady })
	}
	for _, v := range others {
		if part.withElapsed {
			add("steady state, wall time: ", v, func(t Turn) float64 { return t.Elapsed })
		}
	}
	for _, v := range others {
		add("whole process: ", v, func(t Turn) float64 { return t.Whole })
	}
	for _, v := range others {
		if part.withMemory {
			add("memory: ", v, func(t Turn) float64 { return t.Memory + t.Recorder })
		}
	}
	t := newTable(part.name+"-"+key.file(), fmt.Sprintf("%s, %v", part.title, key), header...)
	means := make([][]float64, len(columns))
	for _, r := range rows {
		cells := []string{r.Workload, fmt.Sprint(len(r.Rounds))}
		for i, of := range columns {
			var ratios []float64
			for _, round := range r.Rounds {
				if ratio, ok := of(round); ok {
					ratios = append(ratios, ratio)
				}
			}
			if len(ratios) == 0 {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, spread(ratios).String())
			means[i] = append(means[i], median(ratios))
		}
		t.row(cells...)
	}
	t.means(means)
	return t
}
