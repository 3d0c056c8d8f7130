package placement

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"mallard/internal/cfg"
)

// String is the stable text form: the cost, then φ of the blocks where it is not
// zero, then each counter with its semantics, its expected increments, its edges or
// the instruction it follows, and the place of its code.
func (pl *Plan) String() string {
	g := pl.problem.Graph
	var s strings.Builder
	fmt.Fprintf(&s, "%v cost %s\n", pl.Strategy, number(pl.Cost))
	for b, phi := range pl.Phi {
		if !phi.IsZero() {
			fmt.Fprintf(&s, "    φ %s %v\n", g.Name(cfg.BlockID(b)), phi)
		}
	}
	for _, point := range pl.InsertionPoints() {
		c := &pl.Counters[point.Counter]
		verb := "count"
		if c.Piggybacked {
			verb = "piggybacked"
		}
		fmt.Fprintf(&s, "    %s %v freq %s, %s: %v\n", verb, c.Semantics, number(c.Freq), pl.position(c), point)
	}
	return s.String()
}

func (pl *Plan) position(c *Counter) string {
	if len(c.Edges) == 0 {
		if c.Ahead {
			return "ahead of " + strconv.Itoa(c.After)
		}
		return "after " + strconv.Itoa(c.After)
	}
	var s strings.Builder
	for i, e := range c.Edges {
		if i > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(pl.problem.edgeName(e))
	}
	return s.String()
}

func (pr *Problem) edgeName(e cfg.EdgeID) string {
	edge := &pr.Graph.Edges[e]
	return pr.Graph.Name(edge.From) + "->" + pr.Graph.Name(edge.To)
}

// String names the place of the code: "before 7", and who runs it unless all do.
func (s InsertionPoint) String() string {
	text := "before " + strconv.Itoa(s.At)
	switch s.Position {
	case FallThrough:
		return text + " falling in"
	case Taken:
		return text + " coming from " + strings.Trim(fmt.Sprint(s.From), "[]")
	}
	return text
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', 4, 64) }

// Dot writes the graph with what it allocates, φ and counters in Graphviz's
// language.
func (pl *Plan) Dot(w io.Writer, title string) error {
	block := func(b cfg.BlockID) string {
		s := "φ " + pl.Phi[b].String()
		for _, a := range pl.problem.Allocs[b] {
			s += fmt.Sprintf("\n%d allocates %v", a.At, a.Sites)
		}
		for _, c := range pl.inner[b] {
			s += fmt.Sprintf("\n%d counts %v", pl.Counters[c].After, pl.Counters[c].Semantics)
		}
		return s
	}
	edge := func(e cfg.EdgeID) string {
		if c := pl.onEdge[e]; c >= 0 {
			return "counts " + pl.Counters[c].Semantics.String()
		}
		return ""
	}
	return pl.problem.Graph.Dot(w, title, block, edge)
}
