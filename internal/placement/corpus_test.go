package placement

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
)

// method is a method of real code as a placement problem.
type method struct {
	name    string
	problem *Problem
	build   time.Duration // what cfg.Build took
}

// eachMethod calls visit with every method that allocates, of the classes of java.base
// that take takes.
func eachMethod(t testing.TB, archive corpus.Archive, take func(name string) bool, visit func(m method)) {
	t.Helper()
	inBase := func(name string) bool { return strings.HasPrefix(name, "java.base/") && take(name) }
	err := archive.EachOf(inBase, func(name string, b []byte) error {
		class, err := classfile.Parse(b)
		if err != nil {
			return err
		}
		return eachMethodOf(class, visit)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func eachMethodOf(class *classfile.Class, visit func(m method)) error {
	className, err := class.Name()
	if err != nil {
		return err
	}
	super, err := class.SuperName()
	if err != nil {
		return err
	}
	for i := range class.Methods {
		member := &class.Methods[i]
		a := class.Pool.FindAttribute(member.Attributes, classfile.AttrCode)
		if a == nil {
			continue
		}
		raw, err := classfile.DecodeCode(a.Info)
		if err != nil {
			return err
		}
		code, err := bytecode.Decode(raw, class.Pool)
		if err != nil {
			return err
		}
		name, err := class.Pool.Utf8(member.Name)
		if err != nil {
			return err
		}
		allocs := allocations(code)
		if allocs == nil {
			continue
		}
		start := time.Now()
		g, err := cfg.Build(code, class.Pool, cfg.MethodInfo{Name: name, Class: className, Super: super})
		took := time.Since(start)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", className, name, err)
		}
		pr, err := NewProblem(g, allocs)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", className, name, err)
		}
		visit(method{className + "." + name, pr, took})
	}
	return nil
}

// allocations gives every allocating instruction a site.
func allocations(code *bytecode.Code) []Allocation {
	var allocs []Allocation
	for i, in := range code.Insns {
		switch in.Op {
		case bytecode.OpNew, bytecode.OpNewarray, bytecode.OpAnewarray, bytecode.OpMultianewarray:
			allocs = append(allocs, Allocation{At: i, Sites: Unit(len(allocs))})
		}
	}
	return allocs
}

// TestCorpus places counters in methods of the JDKs' java.base, those of one class in
// three, in the long test of all. Place checks every result; beside that, optimal must
// cost no more than the others. With -v it prints expected increments per allocation,
// φ on the way, and times.
func TestCorpus(t *testing.T) {
	archives := corpus.JDKs()
	if len(archives) == 0 {
		t.Fatal("no JDK is installed")
	}
	for _, archive := range archives {
		t.Run(archive.Name, func(t *testing.T) {
			var total measurement
			eachMethod(t, archive, corpus.Sample(3), func(m method) { total.add(t, m) })
			total.log(t)
		})
	}
}

// measurement sums up expected increments and times. Each method counts as if it
// were called once.
type measurement struct {
	methods     int
	allocations float64
	cost        [3]float64
	counters    [3]int
	place       [3][]time.Duration
	build       []time.Duration
	nonzeroPhi  [3]float64 // instructions executed while φ is not zero
	executed    float64
	slowest     time.Duration
	slowestName string
}

func (s *measurement) add(t *testing.T, m method) {
	t.Helper()
	s.methods++
	s.build = append(s.build, m.build)
	for b, allocs := range m.problem.Allocs {
		blk := &m.problem.Graph.Blocks[b]
		s.allocations += float64(len(allocs)) * blk.Freq
		s.executed += float64(blk.End-blk.First) * blk.Freq
	}
	var costs [3]float64
	for _, strategy := range strategies {
		start := time.Now()
		pl, err := Place(m.problem, strategy)
		took := time.Since(start)
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		if took > s.slowest {
			s.slowest, s.slowestName = took, m.name+" "+strategy.String()
		}
		costs[strategy] = pl.Cost
		s.cost[strategy] += pl.Cost
		s.counters[strategy] += len(pl.Counters)
		s.place[strategy] = append(s.place[strategy], took)
		s.nonzeroPhi[strategy] += nonzeroPhi(m.problem, pl)
	}
	if !atLeast(min(costs[Site], costs[DuckTracks]), costs[Optimal]) {
		t.Errorf("%s: optimal %v, site %v, ducktracks %v", m.name, costs[Optimal], costs[Site], costs[DuckTracks])
	}
}

func (s *measurement) log(t *testing.T) {
	t.Helper()
	t.Logf("%d methods that allocate, slowest %v in %s", s.methods, s.slowest, s.slowestName)
	t.Logf("cfg.Build: %s", quantiles(s.build))
	for _, strategy := range strategies {
		t.Logf("%-10v %.3f increments per allocation, %d counters, %.1f %% of instructions owe something, %s",
			strategy, s.cost[strategy]/s.allocations, s.counters[strategy], 100*s.nonzeroPhi[strategy]/s.executed,
			quantiles(s.place[strategy]))
	}
}

// nonzeroPhi is how many instructions an invocation is expected to execute while φ is not
// zero. Very long methods, mostly initializers, are left out.
func nonzeroPhi(pr *Problem, pl *Plan) float64 {
	sum := 0.0
	for id := range pr.Graph.Blocks {
		blk := &pr.Graph.Blocks[id]
		if blk.End-blk.First > 2000 {
			continue
		}
		for i := blk.First; i < blk.End; i++ {
			if !pl.PhiAt(cfg.BlockID(id), i).IsZero() {
				sum += blk.Freq
			}
		}
	}
	return sum
}

func quantiles(times []time.Duration) string {
	slices.Sort(times)
	sum := time.Duration(0)
	for _, d := range times {
		sum += d
	}
	n := len(times)
	return fmt.Sprintf("mean %v, median %v, p99 %v, max %v", sum/time.Duration(n), times[n/2], times[n*99/100],
		times[n-1])
}
