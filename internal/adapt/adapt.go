// Package adapt decides from what counters say whether the methods of a class should have them elsewhere. It is pure:
// a class file and counts in, a decision out, which package instrument turns into a new version of the class.
//
//	class file ──instrument──▶ plans ──┐
//	counts     ────────────────────────┴─frequency──▶ frequencies ──placement──▶ plans, cheaper or not
package adapt

import (
	"fmt"
	"maps"

	"mallard/internal/cfg"
	"mallard/internal/frequency"
	"mallard/internal/instrument"
	"mallard/internal/placement"
)

// Hot is how many increments a method must have executed before it is thought about. Fewer say little of what is to
// come, and cost next to nothing.
const Hot = 10_000

// worthwhile is the share of its increments that a method must be expected to save.
const worthwhile = 0.10

// Frequencies has measured frequencies by method, name and descriptor. A version of a class is placed with them. They
// are not changed.
type Frequencies map[string]*frequency.Solution

// Apply gives a method's graph what was measured, as [instrument.Options] wants it. A class that is not the one that
// was measured any more, because another agent changed it, may have other graphs, which keep their estimates.
func (f Frequencies) Apply(method string, g *cfg.Graph) {
	if s := f[method]; s != nil && len(s.Edges) == len(g.Edges) && len(s.Blocks) == len(g.Blocks) {
		s.Apply(g)
	}
}

// Class is a class whose counters have been counting.
type Class struct {
	Bytes       []byte             // the class file as it was before instrumentation
	Strategy    placement.Strategy // it was instrumented with
	Frequencies Frequencies        // it was instrumented with
	Tags        bool               // it was instrumented with
	Counters    uint32             // it was given; 0 unknown
	// how often a counter was passed, by its number relative to the class's first, in all threads
	Count func(number uint32) int64
}

// Decision says how to place the counters of a class again.
type Decision struct {
	Frequencies Frequencies // to instrument it with: those it had, and new ones for the methods that are worth it
	Methods     []string    // that are worth it, name and descriptor
	Executed    int64       // increments that these made
	Expected    float64     // increments that they would have made as they are placed now
}

// Decide solves the frequencies of hot methods and places them again. always takes every method that has run,
// whatever that saves.
func (c *Class) Decide(hot int64, always bool) (*Decision, error) {
	d := &Decision{Frequencies: Frequencies{}}
	maps.Copy(d.Frequencies, c.Frequencies)
	var failed error
	err := c.each(func(m *instrument.Method, pl *placement.Plan, counts frequency.Counts, executed int64) {
		if executed < hot || !m.Adaptable && !always {
			return
		}
		solved := frequency.Solve(pl, counts)
		solved.Apply(pl.Problem().Graph)
		again, err := placement.Place(pl.Problem(), c.Strategy)
		if err != nil {
			failed = err
			return
		}
		if !always && again.Cost > (1-worthwhile)*float64(executed) {
			return
		}
		name := m.Name + m.Descriptor
		d.Frequencies[name] = solved
		d.Methods = append(d.Methods, name)
		d.Executed += executed
		d.Expected += again.Cost
	})
	if err == nil {
		err = failed
	}
	return d, err
}

// Baseline says how many increments methods made since they were placed again, and how many their first placement
// would have made.
func (c *Class) Baseline() (executed int64, baseline float64, err error) {
	solutions := Frequencies{}
	err = c.each(func(m *instrument.Method, pl *placement.Plan, counts frequency.Counts, made int64) {
		if name := m.Name + m.Descriptor; c.Frequencies[name] != nil && made > 0 {
			solutions[name] = frequency.Solve(pl, counts)
			executed += made
		}
	})
	if err != nil {
		return 0, 0, err
	}
	first := Class{Bytes: c.Bytes, Strategy: c.Strategy, Tags: c.Tags}
	err = first.plans(func(m *instrument.Method, pl *placement.Plan) {
		if s := solutions[m.Name+m.Descriptor]; s != nil {
			s.Apply(pl.Problem().Graph)
			baseline += pl.Executed()
		}
	})
	return executed, baseline, err
}

// each calls yield with the plan of every method, what its counters say, and how many increments of the plan's that
// were.
func (c *Class) each(yield func(m *instrument.Method, pl *placement.Plan, counts frequency.Counts,
	executed int64)) error {
	return c.plans(func(m *instrument.Method, pl *placement.Plan) {
		counts := frequency.Counts{Entries: frequency.Unknown, Piggybacked: map[int]int64{}}
		executed := int64(0)
		next := 0 // of m.Counters; those of the plan that are not piggybacked come first, in its order
		for i := range pl.Counters {
			n := int64(0)
			if !pl.Counters[i].Piggybacked {
				n = c.Count(m.Counters[next].Number)
				executed += n
				next++
			}
			counts.Counters = append(counts.Counters, n)
		}
		arrays := map[int]int64{} // by site
		for _, counter := range m.Counters[next:] {
			if counter.Kind == instrument.Arrays {
				arrays[counter.Site] += c.Count(counter.Number)
			}
		}
		for _, list := range pl.Problem().Allocs {
			for _, a := range list {
				if a.Piggybacked {
					counts.Piggybacked[a.At] = arrays[int(a.Sites[0].Site)]
				}
			}
		}
		yield(m, pl, counts, executed)
	})
}

func (c *Class) plans(yield func(m *instrument.Method, pl *placement.Plan)) error {
	var all []func()
	r, err := instrument.Rewrite(c.Bytes, instrument.Options{Placement: c.Strategy, Tags: c.Tags,
		Frequencies: c.Frequencies.Apply,
		Placed:      func(m *instrument.Method, pl *placement.Plan) { all = append(all, func() { yield(m, pl) }) }})
	if err != nil {
		return err
	}
	if c.Counters != 0 && r.Counters != c.Counters {
		return fmt.Errorf("adapt: %s has %d counters and had %d", r.Name, r.Counters, c.Counters)
	}
	for _, f := range all {
		f()
	}
	return nil
}
