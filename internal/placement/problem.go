package placement

import (
	"fmt"
	"slices"
	"sort"

	"mallard/internal/cfg"
)

// Allocation says that instruction At, when it completes, allocates at Sites.
type Allocation struct {
	At    int
	Sites Vector // more than one term when an instruction allocates at several sites
	// a counter that would be right behind it is right in front instead: compilers find what follows it beside it
	Ahead bool
	// code behind the instruction counts how often it completes anyway: a counter there costs nothing
	Piggybacked bool
}

// Problem is what to place counters for, made by NewProblem.
type Problem struct {
	Graph  *cfg.Graph
	Allocs [][]Allocation // per block of the graph, ascending by At

	totals       []Vector      // per block: the sum of its allocations, and of its instructions
	instructions *instructions // nil where instructions do not count
}

// NewProblem sorts allocations into the blocks of g. Those that allocate nothing
// are dropped, and so are those in blocks that control cannot reach. Two at one
// instruction are an error.
func NewProblem(g *cfg.Graph, allocs []Allocation) (*Problem, error) {
	pr := &Problem{Graph: g, Allocs: make([][]Allocation, len(g.Blocks))}
	allocs = slices.DeleteFunc(slices.Clone(allocs), func(a Allocation) bool { return a.Sites.IsZero() })
	sort.Slice(allocs, func(i, j int) bool { return allocs[i].At < allocs[j].At })
	for start := 0; start < len(allocs); {
		b := g.BlockAt(allocs[start].At)
		if allocs[start].At < 0 || b >= g.Exit() {
			return nil, fmt.Errorf("placement: instruction %d is in no block", allocs[start].At)
		}
		end := start
		for end < len(allocs) && allocs[end].At < g.Blocks[b].End {
			end++
		}
		if g.Reachable(b) {
			pr.Allocs[b] = allocs[start:end:end]
		}
		start = end
	}
	if err := pr.check(); err != nil {
		return nil, err
	}
	pr.totals = make([]Vector, len(g.Blocks))
	for b := range pr.Allocs {
		if allocs := pr.Allocs[b]; len(allocs) == 1 {
			pr.totals[b] = allocs[0].Sites
		} else if len(allocs) > 1 {
			pr.totals[b] = pr.allocatedBefore(cfg.BlockID(b), g.Blocks[b].End)
		}
	}
	return pr, nil
}

// DependsOnFrequencies is false where one plan is the best whatever the frequencies: where a single block allocates,
// it takes one increment each time that block is executed, and no plan does with less.
func (pr *Problem) DependsOnFrequencies() bool {
	blocks := 0
	pays := false
	for _, allocs := range pr.Allocs {
		if len(allocs) > 0 {
			blocks++
		}
		for _, a := range allocs {
			pays = pays || !a.Piggybacked
		}
	}
	branches := false
	for b := range pr.Graph.Blocks {
		branches = branches || len(pr.Graph.Blocks[b].Out) > 1
	}
	return blocks > 1 && pays && branches
}

// allocated is the sum of a block's allocations and instructions.
func (pr *Problem) allocated(b cfg.BlockID) Vector { return pr.totals[b] }

// allocatedBefore is the sum of the allocations of block b before instruction i, and of its instructions to there.
func (pr *Problem) allocatedBefore(b cfg.BlockID, i int) Vector {
	var terms []Term
	for n, a := range pr.Allocs[b] {
		if a.At >= i {
			if n == 0 && pr.instructions == nil {
				return nil
			}
			break
		}
		terms = append(terms, a.Sites...)
	}
	if pr.instructions != nil {
		terms = append(terms, Term{pr.instructions.site, pr.instructions.before(pr.Graph, b, i)})
	}
	return sum(terms)
}

// check reports allocations that no plan could account for.
func (pr *Problem) check() error {
	g := pr.Graph
	for b, allocs := range pr.Allocs {
		blk := &g.Blocks[b]
		for i, a := range allocs {
			switch {
			case a.At < blk.First || a.At >= blk.End:
				return fmt.Errorf("placement: instruction %d is not in %s", a.At, g.Name(cfg.BlockID(b)))
			case i > 0 && allocs[i-1].At >= a.At:
				return fmt.Errorf("placement: instruction %d allocates twice", a.At)
			case !a.Sites.canonical():
				return fmt.Errorf("placement: instruction %d: %v is not in canonical form", a.At, a.Sites)
			}
		}
		if len(allocs) == 0 {
			continue
		}
		for _, e := range blk.Out {
			k := g.Edges[e].Kind
			if !k.Placeable() {
				return fmt.Errorf("placement: %s allocates and is left by %v", g.Name(cfg.BlockID(b)), k)
			}
			if k != cfg.FallThrough && allocs[len(allocs)-1].At == blk.End-1 {
				return fmt.Errorf("placement: instruction %d both allocates and leaves %s by %v", blk.End-1,
					g.Name(cfg.BlockID(b)), k)
			}
		}
	}
	return nil
}
