package export

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"mallard/internal/profile"
)

// TreeReport is a tree of calls, to be written for a terminal:
//
//	Objects  Share  Calls  Method
//	    170  100.0         everything
//	    113   66.5      1  ├─ demo.App.main
//	    104   61.2    104  │  ├─ java.util.HashMap.put
//	    104   61.2    104  │  │  java.util.HashMap.newNode
//	    104   61.2         │  │  new java.util.HashMap$Node
//	      8    4.7      1  │  └─ demo.App.walk
//	     50   29.4      2  └─ java.lang.Thread.run
//
// What has no brother stands right below its parent, so that long chains of calls
// stay readable.
type TreeReport struct {
	File    string // the recording, as the user named it
	Profile *profile.Profile
	Tree    *profile.Tree
	Filter  profile.Filter // that Tree was made with
	Mine    *profile.Mine  // the same; may be nil
	Sort    profile.Sort
	Top     int     // print this many nodes, the largest; 0 for all
	Verbose bool    // as a Report's
	Min     float64 // leave out what is less than this share of what was selected, percent
}

// Text writes the tree.
func (r *TreeReport) Text(w io.Writer) error {
	p := treePrinter{TreeReport: r, total: r.Sort.Value(r.Tree.Total)}
	p.pick()
	head := Report{File: r.File, Profile: r.Profile, Verbose: r.Verbose, Answer: &profile.Answer{
		Query:    profile.Query{Sort: r.Sort, Filter: r.Filter, Mine: r.Mine},
		Selected: r.Tree.Total,
	}}
	shown := fmt.Sprintf("%s of %s nodes of the tree, sorted by %s", grouped(int64(p.shown)),
		grouped(int64(len(r.Tree.Nodes))), r.Sort)
	err := head.writeFacts(w, "Showing", append([]string{shown}, head.mineLines()...)...)
	if err != nil || p.shown == 0 {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	p.values.title = map[profile.Sort]string{profile.SortObjects: "Objects", profile.SortBytes: "Bytes",
		profile.SortBytecodes: "Bytecodes"}[r.Sort]
	p.shares.title, p.calls.title, p.names.title, p.names.left = "Share", "Calls", "Method", true
	p.line(p.total, 0, "everything")
	p.children(-1, p.total, "")
	return writeColumns(w, []column{p.values, p.shares, p.calls, p.names})
}

// treePrinter fills the columns of a tree.
type treePrinter struct {
	*TreeReport
	total                        int64
	shown                        int
	below                        map[int32][]int32 // shown children, the largest first
	hidden                       map[int32]int     // how many others
	values, shares, calls, names column
}

// pick decides which nodes are shown: the largest, and what leads to them.
func (p *treePrinter) pick() {
	nodes := p.Tree.Nodes
	largest := make([]int32, 0, len(nodes))
	for i := range nodes {
		if value := p.Sort.Value(nodes[i].Amount); value > 0 && float64(value)*100 >= p.Min*float64(p.total) {
			largest = append(largest, int32(i))
		}
	}
	bySize := func(i, j int32) int {
		return cmp.Or(cmp.Compare(p.Sort.Value(nodes[j].Amount), p.Sort.Value(nodes[i].Amount)), cmp.Compare(i, j))
	}
	slices.SortFunc(largest, bySize)
	if p.Top > 0 && len(largest) > p.Top {
		largest = largest[:p.Top]
	}
	shown := make([]bool, len(nodes))
	for _, i := range largest {
		for ; i >= 0 && !shown[i]; i = nodes[i].Parent {
			shown[i] = true
		}
	}
	p.below, p.hidden = map[int32][]int32{}, map[int32]int{}
	for i := range nodes {
		switch parent := nodes[i].Parent; {
		case shown[i]:
			p.shown++
			p.below[parent] = append(p.below[parent], int32(i))
		case parent < 0 || shown[parent]:
			p.hidden[parent]++
		}
	}
	for _, children := range p.below {
		slices.SortFunc(children, bySize)
	}
}

// children prints what is below a node of the given value, in the margin of its
// children.
func (p *treePrinter) children(parent int32, value int64, margin string) {
	below := p.below[parent]
	rest := value
	for _, i := range below {
		rest -= p.Sort.Value(p.Tree.Nodes[i].Amount)
	}
	others := len(below) > 0 && rest > 0 && float64(rest)*100 >= p.Min*float64(p.total)
	for k, i := range below {
		branch, indent := "├─ ", "│  "
		switch {
		case len(below) == 1 && !others:
			branch, indent = "", ""
		case k == len(below)-1 && !others:
			branch, indent = "└─ ", "   "
		}
		n := &p.Tree.Nodes[i]
		value := p.Sort.Value(n.Amount)
		p.line(value, n.Calls, margin+branch+p.name(n))
		p.children(i, value, margin+indent)
	}
	if others {
		p.line(rest, 0, fmt.Sprintf("%s└─ (%s more)", margin, grouped(int64(p.hidden[parent]))))
	}
}

func (p *treePrinter) line(value, calls int64, name string) {
	p.values.cells = append(p.values.cells, grouped(value))
	p.shares.cells = append(p.shares.cells, percent(value, p.total))
	text := ""
	if calls > 0 {
		text = grouped(calls)
	}
	p.calls.cells = append(p.calls.cells, text)
	p.names.cells = append(p.names.cells, name)
}

// name is what a node stands for.
func (p *treePrinter) name(n *profile.TreeNode) string {
	if n.Kind == profile.TypeNode {
		return "new " + p.Tree.Title(n)
	}
	return p.Tree.Title(n)
}
