package main

import (
	"fmt"
	"strings"
)

// A quantity of pauses is in seconds.
type pauseQuantity struct {
	title string
	span  func(*Pauses) PausesByOperation
	of    func(PausesByOperation) float64
}

var (
	allPauses = pauseQuantity{"all: ", wholePauses,
		func(p PausesByOperation) float64 { return p.all().Seconds }}
	longestPause = pauseQuantity{"longest: ", wholePauses,
		func(p PausesByOperation) float64 { return p.all().Longest }}
	collectionPauses = pauseQuantity{"collections: ", wholePauses,
		func(p PausesByOperation) float64 { return p.collections().Seconds }}
	steadyPauses = pauseQuantity{"steady state: ", func(p *Pauses) PausesByOperation { return p.Steady },
		func(p PausesByOperation) float64 { return p.all().Seconds }}
)

func wholePauses(p *Pauses) PausesByOperation { return p.Whole }

// pausesTables has a table for each JDK and collector, whose name begins so.
func pausesTables(name string, rows []Turns) []*table {
	return turnsBySetting(rows, func(key settingKey, rows []Turns) *table { return pausesTable(name, key, rows) })
}

// pausesTable has the pauses of the plain run, and what the variants have as a factor of that. The mean says what to
// expect of a program; the note has all programs together, of which those with long pauses have most.
func pausesTable(name string, key settingKey, rows []Turns) *table {
	others := comparedInTurns(rows)
	compared := []pauseQuantity{allPauses, longestPause, collectionPauses, steadyPauses}
	header := []string{"program", "rounds", "pauses", "seconds", "longest, ms"}
	for _, quantity := range compared {
		for _, v := range others {
			header = append(header, quantity.title+v.name)
		}
	}
	t := newTable(name+"-"+key.file(), fmt.Sprintf("Pauses as a factor of the plain run's, in turns, %v", key),
		header...)
	means := make([][]float64, len(compared)*len(others))
	for _, r := range rows {
		var counts []float64
		for _, round := range r.Rounds {
			counts = append(counts, float64(round[plain].Pauses.Whole.all().Count))
		}
		cells := []string{r.Workload, fmt.Sprint(len(r.Rounds)), number("%.0f", median(counts)),
			number("%.3f", median(allPauses.seconds(r, plain))),
			number("%.1f", 1e3*median(longestPause.seconds(r, plain)))}
		for i, quantity := range compared {
			for k, v := range others {
				factors := quantity.factors(r, v.name)
				if len(factors) == 0 {
					cells = append(cells, "")
					continue
				}
				cells = append(cells, spread(factors).String())
				column := i*len(others) + k
				means[column] = append(means[column], median(factors))
			}
		}
		t.row(cells...)
	}
	t.means(means)
	t.note = pausesTogether(rows, others)
	return t
}

// seconds of a variant, round by round.
func (q pauseQuantity) seconds(r Turns, variant string) []float64 {
	var values []float64
	for _, round := range r.Rounds {
		if p := round[variant].Pauses; p != nil {
			values = append(values, q.of(q.span(p)))
		}
	}
	return values
}

// factors compare a variant with the plain runs of the same rounds. A round of whose runs one does not collect is left
// out: what its other pauses take, microseconds, is nothing to compare with.
func (q pauseQuantity) factors(r Turns, variant string) []float64 {
	var factors []float64
	for _, round := range r.Rounds {
		if round[variant].Pauses == nil {
			continue
		}
		with, without := q.span(round[variant].Pauses), q.span(round[plain].Pauses)
		if with.collections().Count > 0 && without.collections().Count > 0 {
			factors = append(factors, q.of(with)/q.of(without))
		}
	}
	return factors
}

// pausesTogether says how much longer the pauses of all programs are, of each the median of its rounds.
func pausesTogether(rows []Turns, others []variant) string {
	var factors []string
	for _, v := range others {
		var with, without float64
		for _, r := range rows {
			if values := allPauses.seconds(r, v.name); len(values) > 0 {
				with += median(values)
				without += median(allPauses.seconds(r, plain))
			}
		}
		factors = append(factors, fmt.Sprintf("%.2f with %s", with/without, v.name))
	}
	return "Pauses of all programs together: " + strings.Join(factors, ", ") + "."
}
