package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"mallard/internal/cfg"
	"mallard/internal/frequency"
	"mallard/internal/instrument"
	"mallard/internal/jvmtest"
	"mallard/internal/launch"
	"mallard/internal/placement"
	recording "mallard/internal/session"
	"mallard/internal/trace"
)

// perIteration are BENCH.md's figures for one increment per iteration that allocates, for the programs that are in both
// suites.
var perIteration = map[string]float64{"clojure": 0.773, "hsqldb": 0.930, "javac": 0.934}

// measureFrequencies runs each workload with a counter on every edge, and places counters again with what they say.
func measureFrequencies(s *session) error {
	return s.eachWorkload(func(w Workload, at setting, c jvmtest.Command) error {
		c.Args = []string{"0", "2"}
		row, err := trueFrequencies(at.jdk, c)
		if err != nil {
			return err
		}
		row.subject, row.PerIteration = subject{at.jdk.Version, w.Name}, perIteration[w.Name]
		put(&s.figures.Frequencies, row, func(r Frequencies) subject { return r.subject })
		return nil
	})
}

func trueFrequencies(jdk jvmtest.JDK, c jvmtest.Command) (Frequencies, error) {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return Frequencies{}, err
	}
	defer os.RemoveAll(folder)
	classes := map[trace.ClassID][]byte{}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return Frequencies{}, err
	}
	defer null.Close()
	file := filepath.Join(folder, "run.mallard")
	code, err := launch.Run(context.Background(), launch.Options{
		Command: jdk.Exec(context.Background(), c).Args, Output: file, Quiet: true,
		Stdin: null, Stdout: null, Stderr: os.Stderr,
		Record: recording.Options{
			Placement: placement.Edges,
			KeepClass: func(id trace.ClassID, class []byte) { classes[id] = slices.Clone(class) },
		},
	})
	if err != nil || code != 0 {
		return Frequencies{}, errors.Join(err, fmt.Errorf("exit code %d", code))
	}
	defs, totals, err := readTotals(file)
	if err != nil {
		return Frequencies{}, err
	}
	return compareFrequencies(defs, classes, totals)
}

// readTotals gives the classes of a recording and the sum of each counter over all threads.
func readTotals(path string) ([]*trace.ClassDef, map[trace.CounterID]int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	r, err := trace.NewReader(f)
	if err != nil {
		return nil, nil, err
	}
	type key struct {
		thread  trace.ThreadID
		counter trace.CounterID
	}
	var defs []*trace.ClassDef
	last := map[key]int64{}
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		switch record := record.(type) {
		case *trace.ClassDef:
			defs = append(defs, record)
		case *trace.Snapshot:
			for _, v := range record.Values {
				last[key{record.Thread, v.Counter}] = v.Value
			}
		}
	}
	totals := map[trace.CounterID]int64{}
	for k, v := range last {
		totals[k.counter] += v
	}
	return defs, totals, nil
}

// compareFrequencies places every method twice, without and with the true frequencies.
func compareFrequencies(defs []*trace.ClassDef, classes map[trace.ClassID][]byte,
	totals map[trace.CounterID]int64) (Frequencies, error) {
	var row Frequencies
	var methods []MisplacedCounter
	for _, def := range defs {
		var failed error
		see := func(m *instrument.Method, edges *placement.Plan) {
			static, err := placement.Place(edges.Problem(), placement.Optimal)
			if err != nil {
				failed = errors.Join(failed, err)
				return
			}
			estimated := frequency.Of(edges.Problem().Graph)
			setFrequencies(edges, m, def.CounterBase, totals)
			best, err := placement.Place(edges.Problem(), placement.Optimal)
			if err != nil {
				failed = errors.Join(failed, err)
				return
			}
			is := MisplacedCounter{Method: def.Name + "." + m.Name + m.Descriptor, Static: executed(static),
				True: executed(best)}
			for i := range row.Adapted {
				increments, err := adapted(static, estimated, 1+i, frequency.Unknown)
				failed = errors.Join(failed, err)
				row.Adapted[i] += increments
			}
			increments, err := adapted(static, estimated, 1, entered(edges.Problem().Graph))
			failed = errors.Join(failed, err)
			row.Entries += increments
			row.Objects += objectsMade(edges.Problem())
			row.Static += is.Static
			row.True += is.True
			methods = append(methods, is)
		}
		if _, err := instrument.Rewrite(classes[def.ID], instrument.Options{Placement: placement.Edges,
			Placed: see}); err != nil {
			failed = errors.Join(failed, err)
		}
		if failed != nil {
			return row, fmt.Errorf("%s: %w", def.Name, failed)
		}
	}
	if row.Objects == 0 {
		return row, errors.New("nothing was allocated")
	}
	difference := row.Static - row.True
	slices.SortFunc(methods, func(a, b MisplacedCounter) int { return cmp.Compare(b.Static-b.True, a.Static-a.True) })
	for _, m := range methods[:min(5, len(methods))] {
		if difference > 0 {
			m.Share = (m.Static - m.True) / difference
		}
		row.Worst = append(row.Worst, m)
	}
	row.Static /= row.Objects
	row.True /= row.Objects
	row.Adapted[0] /= row.Objects
	row.Adapted[1] /= row.Objects
	row.Entries /= row.Objects
	return row, nil
}

// setFrequencies gives a graph the counts of a plan that has a counter on each edge. What such counters cannot see,
// ways out by athrow and ret, is what comes into their blocks.
func setFrequencies(edges *placement.Plan, m *instrument.Method, base trace.CounterID,
	totals map[trace.CounterID]int64) {
	g := edges.Problem().Graph
	i := 0
	for _, c := range m.Counters {
		if c.Kind == instrument.Path {
			g.Edges[edges.Counters[i].Edges[0]].Freq = float64(totals[base+trace.CounterID(c.Number)])
			i++
		}
	}
	sum := func(list []cfg.EdgeID) (sum float64) {
		for _, e := range list {
			if g.Edges[e].Kind.Placeable() {
				sum += g.Edges[e].Freq
			}
		}
		return sum
	}
	for b := range g.Blocks {
		block := &g.Blocks[b]
		block.Freq = max(sum(block.In), sum(block.Out))
		for _, e := range block.Out {
			if !g.Edges[e].Kind.Placeable() {
				g.Edges[e].Freq = block.Freq
			}
		}
	}
}

// executed is how many increments a plan makes at its graph's frequencies, one for each array whose counter is
// piggybacked included.
func executed(pl *placement.Plan) float64 {
	sum := pl.Executed()
	for b, list := range pl.Problem().Allocs {
		for _, a := range list {
			if a.Piggybacked {
				sum += pl.Problem().Graph.Blocks[b].Freq
			}
		}
	}
	return sum
}

// entered is how often a method was called, at its graph's frequencies.
func entered(g *cfg.Graph) int64 {
	n := g.Blocks[g.Entry()].Freq
	for _, e := range g.Blocks[g.Entry()].In {
		n -= g.Edges[e].Freq
	}
	return int64(max(n, 0))
}

// adapted is how many increments a method makes at its graph's frequencies after it was placed again, at most that many
// times and where it seems worth it, by what its plan's counters say of them.
func adapted(static *placement.Plan, estimated *frequency.Solution, times int, entries int64) (float64, error) {
	g := static.Problem().Graph
	truth := frequency.Of(g)
	defer truth.Apply(g)
	known, pl := estimated, static
	for range times {
		truth.Apply(g)
		counts := frequency.Counts{Entries: entries, Piggybacked: map[int]int64{}}
		for i := range pl.Counters {
			counts.Counters = append(counts.Counters, int64(pl.Counters[i].Executed(g)))
		}
		for b, list := range pl.Problem().Allocs {
			for _, a := range list {
				if a.Piggybacked {
					counts.Piggybacked[a.At] = int64(g.Blocks[b].Freq)
				}
			}
		}
		made := pl.Executed()
		known.Apply(g)
		known = frequency.Solve(pl, counts)
		known.Apply(g)
		again, err := placement.Place(static.Problem(), placement.Optimal)
		if err != nil {
			return 0, err
		}
		if again.Cost > 0.9*made {
			break
		}
		pl = again
	}
	truth.Apply(g)
	return executed(pl), nil
}

// objectsMade is how many objects a method made.
func objectsMade(pr *placement.Problem) float64 {
	sum := 0.0
	for b, list := range pr.Allocs {
		sum += float64(len(list)) * pr.Graph.Blocks[b].Freq
	}
	return sum
}
