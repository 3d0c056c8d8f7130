package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"mallard/internal/profile"
)

// allocationFrame marks a frame that is an allocated type, as async-profiler
// does, so that flame graphs give it a colour of its own.
const allocationFrame = "_[i]"

// Collapsed says what goes into collapsed stacks. The zero value counts
// objects and leaves threads and lines out.
type Collapsed struct {
	Sort    profile.Sort // what the numbers are: objects or bytes
	Threads bool         // a frame for the thread comes first
	Lines   bool         // method frames have the line: HashMap.resize:704
	Filter  profile.Filter
	Min     float64 // what is less than this share of the whole, percent, is one frame below the others
}

// Write writes collapsed stacks, the input of flame graph tools, one per line,
// those that begin alike together:
//
//	[main];demo/App.main;java/util/HashMap.newNode;java.util.HashMap$Node_[i] 1024
//
// Stacks whose sum is not positive, which are left over in recordings without
// a last snapshot, have no place in a flame graph; negative says how many.
func (c Collapsed) Write(w io.Writer, p *profile.Profile) (omitted profile.Amount, negative int, err error) {
	tree, omitted := p.Tree(profile.TreeQuery{Filter: c.Filter, Threads: c.Threads, Lines: c.Lines}).Omit(c.Min)
	out := bufio.NewWriter(w)
	var stack []byte
	ends := make([]int, len(tree.Nodes)) // of the nodes' stacks
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		stack = stack[:0]
		if n.Parent >= 0 {
			stack = append(stack[:ends[n.Parent]], ';')
		}
		stack = append(stack, collapsedName(tree, n)...)
		ends[i] = len(stack)
		if n.Kind != profile.TypeNode && n.Kind != profile.OmittedNode {
			continue
		}
		value := c.Sort.Value(n.Amount)
		if value <= 0 {
			negative++
			continue
		}
		out.Write(stack)
		fmt.Fprintf(out, " %d\n", value)
	}
	return omitted, negative, out.Flush()
}

// collapsedName is a node's frame.
func collapsedName(tree *profile.Tree, n *profile.TreeNode) string {
	switch n.Kind {
	case profile.TypeNode:
		return frame(tree.Title(n)) + allocationFrame
	case profile.OmittedNode:
		return profile.Omitted
	case profile.ThreadNode:
		return "[" + frame(tree.Title(n)) + "]"
	}
	method := &tree.Methods[n.Name]
	if method.Class == "" {
		return frame(method.Name)
	}
	name := strings.ReplaceAll(method.Class, ".", "/") + "." + method.Name
	if n.Line >= 0 {
		name = fmt.Sprintf("%s:%d", name, n.Line)
	}
	return frame(name)
}

// frame takes out of a name what separates frames, and what a terminal obeys.
func frame(name string) string {
	return printable(strings.ReplaceAll(name, ";", "_"))
}
