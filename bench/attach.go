package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Attached is a server under load before Mallard is attached, meanwhile and afterwards, beside one that nobody attaches
// to. The two take turns, so that what others do to the machine, and what the JVM does by itself as time goes by, meets
// both alike.
type Attached struct {
	JDK    string         `json:"jdk"`
	Way    string         `json:"way"` // of attachWays
	Rounds []AttachedPair `json:"rounds"`
}

// An AttachedPair is two JVMs, the first of which is attached to.
type AttachedPair struct {
	Warm   int                `json:"warm"` // turns that went before, until requests did not get cheaper
	Before Phase              `json:"before"`
	During [attachments]Phase `json:"during"`
	After  [attachments]Phase `json:"after"`
}

// A Phase is turns.
type Phase []ServedTurn

// A ServedTurn is one of the server that is attached to and one of the other.
type ServedTurn struct {
	Attached Served `json:"attached"`
	Other    Served `json:"other"`
}

// Served is what a server did in a turn.
type Served struct {
	Requests  int     `json:"requests"`
	Failed    int     `json:"failed,omitempty"`
	Seconds   float64 `json:"seconds"`
	Processor float64 `json:"processor"` // seconds, of all of its threads
}

func processorTime(s Served) float64 { return s.Processor / float64(s.Requests) }
func throughput(s Served) float64    { return float64(s.Requests) / s.Seconds }

// relative is the median of what the one server has as a factor of what the other has in the same turn.
func (p Phase) relative(of func(Served) float64) float64 {
	var ratios []float64
	for _, turn := range p {
		ratios = append(ratios, of(turn.Attached)/of(turn.Other))
	}
	return median(ratios)
}

const (
	attachments = 2
	beforeTurns = 20
	afterTurns  = 100
)

// attachWays are what is done to the server, in the order of tables: Mallard attaches and leaves, and what that asks of
// the JVM with nothing changed.
var attachWays = []string{"mallard attach", "each class replaced by itself, twice"}

// afterwards are the turns after an attachment that are compared with those before: from, and up to.
var afterwards = [][2]int{{0, 10}, {10, 30}, {30, 60}, {60, afterTurns}}

// attachedTable has a row for each JDK and way.
func attachedTable(rows []Attached) *table {
	header := []string{"JDK", "what is done", "JVMs", "requests", "failed", "µs for each before"}
	for _, what := range []string{"processor time a request", "throughput"} {
		header = append(header, what+": attached")
		for _, part := range afterwards {
			header = append(header, fmt.Sprintf("%d to %d s after", part[0]+1, part[1]))
		}
	}
	t := newTable("attach-tomcat", "Tomcat 10 under load: before it is attached to, meanwhile, afterwards", header...)
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b Attached) int {
		return cmp.Or(strings.Compare(a.JDK, b.JDK),
			slices.Index(attachWays, a.Way)-slices.Index(attachWays, b.Way))
	})
	for _, r := range rows {
		t.row(slices.Concat([]string{r.JDK, r.Way, fmt.Sprint(len(r.Rounds))}, r.requests(), r.factors(processorTime),
			r.factors(throughput))...)
	}
	t.note = "Factors of before, of those of a JVM beside it that nobody touches; medians, the smallest, the largest."
	return t
}

// requests are the columns that say how many there were, of a server that is attached to.
func (r Attached) requests() []string {
	requests, failed := 0, 0
	var costs []float64
	for _, round := range r.Rounds {
		for _, turn := range round.Before {
			costs = append(costs, processorTime(turn.Attached)*1e6)
		}
		for _, turn := range slices.Concat(slices.Concat(round.During[:]...), slices.Concat(round.After[:]...)) {
			requests += turn.Attached.Requests
			failed += turn.Attached.Failed
		}
	}
	return []string{fmt.Sprint(requests), fmt.Sprint(failed), fmt.Sprintf("%.0f", median(costs))}
}

// factors are the columns of one quantity.
func (r Attached) factors(of func(Served) float64) []string {
	during, after := []float64{}, make([][]float64, len(afterwards))
	for _, round := range r.Rounds {
		before := round.Before.relative(of)
		for i := range attachments {
			during = append(during, round.During[i].relative(of)/before)
			for k, part := range afterwards {
				after[k] = append(after[k], round.After[i][part[0]:part[1]].relative(of)/before)
			}
		}
	}
	cells := []string{spread(during).text("%.2f")}
	for _, values := range after {
		cells = append(cells, spread(values).text("%.3f"))
	}
	return cells
}
