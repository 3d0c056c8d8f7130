package cfg

// InLoop reports whether block b belongs to loop l or to a loop inside it.
func (g *Graph) InLoop(b BlockID, l LoopID) bool {
	if l == NoLoop {
		return true
	}
	// Inner loops have higher numbers.
	m := g.Blocks[b].Loop
	for m > l {
		m = g.Loops[m].Parent
	}
	return m == l
}

// Depth is the number of loops around block b.
func (g *Graph) Depth(b BlockID) int {
	if l := g.Blocks[b].Loop; l != NoLoop {
		return g.Loops[l].Depth
	}
	return 0
}

// IsHeader reports whether b is the header of a loop, and of which.
func (g *Graph) IsHeader(b BlockID) (LoopID, bool) {
	l := g.Blocks[b].Loop
	return l, l != NoLoop && g.Loops[l].Header == b
}

// IsBackEdge reports whether e leads to the header of a loop its source is in.
func (g *Graph) IsBackEdge(e EdgeID) bool {
	l, header := g.IsHeader(g.Edges[e].To)
	return header && g.InLoop(g.Edges[e].From, l)
}

// findLoops fills in Loops and the blocks' Loop: the loop nesting forest of
// Havlak, "Nesting of Reducible and Irreducible Loops", over edges and exception
// edges. Steps, for each block w in reverse of depth-first preorder:
//
//  1. collect the blocks with an edge back to w; if there are any, w is a header;
//  2. walk backwards from them, inner loops counting as one block, to find the body;
//  3. a block met on that walk which is no descendant of w is another entry: the
//     loop is irreducible, and the entry is left for an outer header to find;
//  4. the body becomes one block, represented by w.
func (g *Graph) findLoops() {
	n := len(g.Blocks)
	for b := range g.Blocks {
		g.Blocks[b].Loop = NoLoop
	}
	pred := g.predecessors()
	first, last := g.preorder()
	order := make([]BlockID, len(g.rpo))
	for _, b := range g.rpo {
		order[first[b]] = b
	}
	within := func(w, b BlockID) bool { return first[w] <= first[b] && first[b] <= last[w] }

	rep := make([]BlockID, n) // union-find: the header that stands for a block
	for b := range rep {
		rep[b] = BlockID(b)
	}
	find := func(b BlockID) BlockID {
		for rep[b] != b {
			rep[b] = rep[rep[b]]
			b = rep[b]
		}
		return b
	}
	extra := make(map[BlockID][]BlockID) // entries of irreducible loops, as more predecessors of their header
	header := make([]BlockID, n)         // header of the innermost loop a block belongs to, itself not counted
	for b := range header {
		header[b] = NoBlock
	}
	var found []Loop // inner before outer
	seen := make([]BlockID, n)
	for b := range seen {
		seen[b] = NoBlock
	}
	for i := len(order) - 1; i >= 0; i-- {
		w := order[i]
		var body []BlockID
		self := false
		for _, p := range pred.of(w) {
			if !g.reached(first, p) || !within(w, p) {
				continue
			}
			if r := find(p); r == w {
				self = self || g.branchesToItself(w)
			} else if seen[r] != w {
				seen[r] = w
				body = append(body, r)
			}
		}
		if len(body) == 0 && !self {
			continue
		}
		loop := Loop{Header: w}
		for at := 0; at < len(body); at++ {
			visit := func(p BlockID) {
				r := find(p)
				switch {
				case !within(w, r):
					loop.Irreducible = true
					extra[w] = append(extra[w], r)
				case r != w && seen[r] != w:
					seen[r] = w
					body = append(body, r)
				}
			}
			for _, p := range pred.of(body[at]) {
				if g.reached(first, p) {
					visit(p)
				}
			}
			for _, p := range extra[body[at]] {
				visit(p)
			}
		}
		for _, b := range body {
			rep[b] = w
			header[b] = w
		}
		found = append(found, loop)
	}
	g.nest(found, header)
}

// branchesToItself leaves out that javac's handlers cover themselves: what they
// throw while they unlock a monitor goes to themselves, but that is no loop.
func (g *Graph) branchesToItself(b BlockID) bool {
	for _, e := range g.Blocks[b].Out {
		if g.Edges[e].To == b {
			return true
		}
	}
	return false
}

// nest numbers the loops outer first and gives every block its innermost loop.
func (g *Graph) nest(found []Loop, header []BlockID) {
	g.Loops = make([]Loop, 0, len(found))
	for i := len(found) - 1; i >= 0; i-- {
		l := found[i]
		l.Parent = NoLoop
		if h := header[l.Header]; h != NoBlock {
			l.Parent = g.Blocks[h].Loop
		}
		l.Depth = 1
		if l.Parent != NoLoop {
			l.Depth = g.Loops[l.Parent].Depth + 1
		}
		g.Blocks[l.Header].Loop = LoopID(len(g.Loops))
		g.Loops = append(g.Loops, l)
	}
	for _, b := range g.rpo {
		if header[b] != NoBlock && g.Blocks[b].Loop == NoLoop {
			g.Blocks[b].Loop = g.Blocks[header[b]].Loop
		}
	}
}

// preorder numbers the reachable blocks in depth-first preorder; the descendants
// of b have the numbers first[b] to last[b].
func (g *Graph) preorder() (first, last []int32) {
	type frame struct {
		block BlockID
		next  int
	}
	succ := g.successors()
	first = make([]int32, 2*len(g.Blocks))
	first, last = first[:len(g.Blocks)], first[len(g.Blocks):]
	for b := range first {
		first[b] = -1
	}
	var clock int32
	stack := make([]frame, 1, 16)
	first[0] = 0
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		s := succ.of(top.block)
		if top.next == len(s) {
			last[top.block] = clock
			stack = stack[:len(stack)-1]
			continue
		}
		// The same order as in order(): the last successor first.
		top.next++
		if b := s[len(s)-top.next]; first[b] < 0 {
			clock++
			first[b] = clock
			stack = append(stack, frame{block: b})
		}
	}
	return first, last
}

func (g *Graph) reached(first []int32, b BlockID) bool { return first[b] >= 0 }
