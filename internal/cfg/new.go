package cfg

// New makes a graph of plain blocks, edges and exception edges, which it takes
// over: it fills in Out, In, dominators and loops, and leaves frequencies as
// they are. The result has passed Check.
func New(blocks []Block, edges []Edge, exceptions []Exception) (*Graph, error) {
	g := &Graph{Blocks: blocks, Edges: edges, Exceptions: exceptions}
	if err := g.checkEnds(); err != nil {
		return nil, err
	}
	g.link()
	g.order()
	g.dominators()
	g.findLoops()
	if err := g.Check(); err != nil {
		return nil, err
	}
	return g, nil
}

// link fills in the blocks' In and Out, all of them parts of one array.
func (g *Graph) link() {
	ids := make([]EdgeID, 2*len(g.Edges))
	in := make([]int32, 2*len(g.Blocks))
	out := in[len(g.Blocks):]
	for i := range g.Edges {
		in[g.Edges[i].To]++
		out[g.Edges[i].From]++
	}
	at := 0
	for b := range g.Blocks {
		n := int(in[b])
		g.Blocks[b].In = ids[at : at : at+n]
		at += n
		n = int(out[b])
		g.Blocks[b].Out = ids[at : at : at+n]
		at += n
	}
	for i := range g.Edges {
		from, to := &g.Blocks[g.Edges[i].From], &g.Blocks[g.Edges[i].To]
		from.Out = append(from.Out, EdgeID(i))
		to.In = append(to.In, EdgeID(i))
	}
}
