package main

import (
	"fmt"
	"slices"
)

// objectsTables are of time, of what has taken it, and of pauses.
func objectsTables(rows []Turns) []*table {
	return slices.Concat(turnsTables(objectsInTurns, rows), turnsBySetting(rows, threadsTable),
		pausesTables("objects-pauses", rows))
}

// threadsTable says where the processor time of steady state goes, as a factor of all that the plain run takes: the
// means of the programs.
func threadsTable(key settingKey, rows []Turns) *table {
	t := newTable("objects-threads-"+key.file(),
		fmt.Sprintf("Processor time of threads in steady state, as a factor of all that the plain run's take, %v", key),
		"threads", plain)
	shown := comparedInTurns(rows)
	for _, v := range shown {
		t.header = append(t.header, v.name)
	}
	add := func(title string, of func(of, plain Turn) float64) {
		cells := []string{title, meanInTurns(rows, plain, of)}
		for _, v := range shown {
			cells = append(cells, meanInTurns(rows, v.name, of))
		}
		t.row(cells...)
	}
	for _, kind := range threadKinds {
		add(kind, func(of, plain Turn) float64 { return of.Threads[kind] / plain.Steady })
	}
	add("all", func(of, plain Turn) float64 { return of.Steady / plain.Steady })
	return t
}

// meanInTurns is the arithmetic mean over programs, of each of which it is the median of the rounds.
func meanInTurns(rows []Turns, variant string, of func(of, plain Turn) float64) string {
	sum, count := 0.0, 0.0
	for _, r := range rows {
		var values []float64
		for _, round := range r.Rounds {
			if turn, ok := round[variant]; ok {
				values = append(values, of(turn, round[plain]))
			}
		}
		if len(values) > 0 {
			sum += median(values)
			count++
		}
	}
	return number("%.3f", sum/count)
}
