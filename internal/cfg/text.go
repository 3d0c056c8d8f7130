package cfg

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// String is the stable text form: a line per block with its instruction range
// and properties, then its edges (->) and exception edges (!>).
func (g *Graph) String() string {
	var s strings.Builder
	for b := range g.Blocks {
		s.WriteString(g.blockText(BlockID(b)))
		s.WriteByte('\n')
		for _, id := range g.Blocks[b].Out {
			e := &g.Edges[id]
			fmt.Fprintf(&s, "    -> %s %s\n", g.Name(e.To), edgeText(e))
		}
		for _, x := range g.Exceptions {
			if x.From == BlockID(b) {
				fmt.Fprintf(&s, "    !> %s\n", g.Name(x.To))
			}
		}
	}
	return s.String()
}

// Name is what the text forms call block b: b0, b1, ... and exit.
func (g *Graph) Name(b BlockID) string {
	if b == g.Exit() {
		return "exit"
	}
	return "b" + strconv.Itoa(int(b))
}

func (g *Graph) blockText(b BlockID) string {
	blk := &g.Blocks[b]
	if b == g.Exit() {
		return "exit"
	}
	s := fmt.Sprintf("%s [%d,%d) freq %s", g.Name(b), blk.First, blk.End, freqText(blk.Freq))
	switch {
	case !g.Reachable(b):
		return s + " unreachable"
	case blk.Handler:
		s += " handler"
	case blk.Zero:
		s += " zero"
	}
	if blk.Idom != NoBlock {
		s += " idom " + g.Name(blk.Idom)
	}
	if l := blk.Loop; l != NoLoop {
		s += fmt.Sprintf(" loop %s depth %d", g.Name(g.Loops[l].Header), g.Loops[l].Depth)
		if g.Loops[l].Irreducible {
			s += " irreducible"
		}
	}
	return s
}

func edgeText(e *Edge) string {
	s := e.Kind.String()
	if e.Kind == Switch {
		s += "(" + strconv.Itoa(e.Cases) + ")"
	}
	return s + " " + freqText(e.Freq)
}

// freqText keeps four significant digits, so that the text does not depend on
// the order of additions.
func freqText(f float64) string { return strconv.FormatFloat(f, 'g', 4, 64) }

// Dot writes the graph in Graphviz's language; note, if not nil, adds lines to
// the label of a block, and edgeNote to that of an edge.
func (g *Graph) Dot(w io.Writer, title string, note func(BlockID) string, edgeNote func(EdgeID) string) error {
	var s strings.Builder
	fmt.Fprintf(&s, "digraph %q {\n\tnode [shape=box fontname=monospace];\n", title)
	for b := range g.Blocks {
		label := g.blockText(BlockID(b))
		if note != nil {
			if n := note(BlockID(b)); n != "" {
				label += "\n" + n
			}
		}
		fmt.Fprintf(&s, "\t%s [label=%q];\n", g.Name(BlockID(b)), label)
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		label := edgeText(e)
		if edgeNote != nil {
			if n := edgeNote(EdgeID(i)); n != "" {
				label += "\n" + n
			}
		}
		fmt.Fprintf(&s, "\t%s -> %s [label=%q];\n", g.Name(e.From), g.Name(e.To), label)
	}
	for _, x := range g.Exceptions {
		fmt.Fprintf(&s, "\t%s -> %s [style=dashed];\n", g.Name(x.From), g.Name(x.To))
	}
	s.WriteString("}\n")
	_, err := io.WriteString(w, s.String())
	return err
}
