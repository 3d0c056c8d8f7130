package main

import (
	"fmt"
	"slices"
	"strings"
)

// A Cell is a workload on a JDK with a collector, run several times each way. Everything that is reported of it follows
// from its rounds.
type Cell struct {
	subject
	Collector string  `json:"collector"`
	Binary    string  `json:"binary"` // of mallard: a hash
	Rounds    []Round `json:"rounds"`
}

// A Round is one run each way, one right after the other, by the name of the variant.
type Round map[string]Run

// missing lists the variants of a round that is to have some: none if it has them. Otherwise it is measured again as a
// whole, with what it had, because only runs right after one another are compared.
func (c *Cell) missing(round int, wanted []variant) []variant {
	var had Round
	if round < len(c.Rounds) {
		had = c.Rounds[round]
	}
	complete := true
	all := slices.DeleteFunc(slices.Clone(variants), func(v variant) bool {
		_, has := had[v.name]
		wants := slices.ContainsFunc(wanted, func(w variant) bool { return w.name == v.name })
		complete = complete && (has || !wants)
		return !has && !wants
	})
	if complete {
		return nil
	}
	return all
}

// set replaces a round, or adds it at the end.
func (c *Cell) set(round int, r Round) {
	if round < len(c.Rounds) {
		c.Rounds[round] = r
		return
	}
	c.Rounds = append(c.Rounds, r)
}

// values of a variant's runs; rounds without one are left out.
func (c *Cell) values(variant string, of func(Run) float64) []float64 {
	var values []float64
	for _, round := range c.Rounds {
		if run, ok := round[variant]; ok {
			values = append(values, of(run))
		}
	}
	return values
}

// ratios of a variant's runs to the plain ones of the same rounds.
func (c *Cell) ratios(variant string, of func(Run) float64) []float64 {
	var ratios []float64
	for _, round := range c.Rounds {
		if run, ok := round[variant]; ok {
			ratios = append(ratios, of(run)/of(round[plain]))
		}
	}
	return ratios
}

// ratio is the spread of ratios, in words; "" if there are none.
func (c *Cell) ratio(variant string, of func(Run) float64) string {
	if values := c.ratios(variant, of); len(values) > 0 {
		return spread(values).String()
	}
	return ""
}

// What is compared.
func whole(r Run) float64    { return r.Seconds }
func steady(r Run) float64   { return r.Steady }
func cpu(r Run) float64      { return r.CPU }
func memory(r Run) float64   { return r.Memory }
func recorder(r Run) float64 { return r.Recorder }
func others(r Run) float64   { return r.Others }

// increments gives the updates of profiling state for each allocation in the cell's last run under mallard, and what
// they would have been without adaptation. They differ between runs by when methods are adapted and by what the JVM's
// own threads do.
func (c *Cell) increments() (each, unadapted string) {
	for _, round := range slices.Backward(c.Rounds) {
		if run := round[mallard]; run.Counted != nil {
			return fmt.Sprintf("%.3f", run.Counted.each()), fmt.Sprintf("%.3f", run.Counted.unadapted())
		}
	}
	return "", ""
}

// bySetting groups the cells that have rounds, and puts them in order.
func bySetting(all []*Cell) (order []settingKey, cells map[settingKey][]*Cell) {
	cells = map[settingKey][]*Cell{}
	for _, c := range all {
		p := settingKey{c.JDK, c.Collector}
		if len(c.Rounds) == 0 {
			continue
		}
		if cells[p] == nil {
			order = append(order, p)
		}
		cells[p] = append(cells[p], c)
	}
	slices.SortFunc(order, func(a, b settingKey) int {
		if a.jdk != b.jdk {
			return strings.Compare(a.jdk, b.jdk)
		}
		return slices.Index(collectors, a.collector) - slices.Index(collectors, b.collector)
	})
	for _, list := range cells {
		sortBySubject(list, func(c *Cell) subject { return c.subject })
	}
	return order, cells
}
