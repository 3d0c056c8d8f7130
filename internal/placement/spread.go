package placement

import "mallard/internal/cfg"

// spread computes φ at the start and at the end of every block, from forced zeros
// and the starts given in pinned, over edges and through blocks on which φ follows
// without a counter. Where they disagree the first to arrive decides; where none
// arrives φ is zero at the first point, and follows from there.
func spread(pr *Problem, pinned map[cfg.BlockID]Vector, edge func(cfg.EdgeID) bool,
	block func(cfg.BlockID) bool) (starts, ends []Vector) {
	g := pr.Graph
	n := len(g.Blocks)
	phi := make([]Vector, 2*n) // start of block b at b, its end at n+b
	known := make([]bool, 2*n)
	work := make([]int, 0, n)
	set := func(point int, v Vector) {
		if !known[point] {
			known[point] = true
			phi[point] = v
			work = append(work, point)
		}
	}
	for b := range g.Blocks {
		if g.Blocks[b].Zero {
			set(b, nil)
		}
	}
	for b := range g.Blocks { // not in the order of the map
		if v, ok := pinned[cfg.BlockID(b)]; ok {
			set(b, v)
		}
	}
	for next := 0; ; {
		if len(work) == 0 {
			for next < len(known) && known[next] {
				next++
			}
			if next == len(known) {
				break
			}
			set(next, nil)
		}
		point := work[len(work)-1]
		work = work[:len(work)-1]
		b := cfg.BlockID(point % n)
		through := block(b)
		if point < n {
			if through && !known[n+point] {
				set(n+point, phi[point].Sub(pr.allocated(b)))
			}
			for _, e := range g.Blocks[b].In {
				if from := n + int(g.Edges[e].From); !known[from] && edge(e) {
					set(from, phi[point])
				}
			}
			continue
		}
		if through && !known[b] {
			set(int(b), phi[point].Add(pr.allocated(b)))
		}
		for _, e := range g.Blocks[b].Out {
			if to := int(g.Edges[e].To); !known[to] && edge(e) {
				set(to, phi[point])
			}
		}
	}
	return phi[:n:n], phi[n:]
}
