package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// pageTree writes a tree as data.js reads it: the nodes as numbers in preorder, and the names. What else a page has of
// data may have numbers of names, too.
type pageTree struct {
	out     *bufio.Writer
	names   []string
	numbers map[string]int64
	nodes   int
	depth   int // of the last node
	text    []byte
}

// newPageTree begins the page's data. The tree comes first.
func newPageTree(out *bufio.Writer) *pageTree {
	out.WriteString(`{"nodes":[`)
	return &pageTree{out: out, numbers: map[string]int64{}}
}

// name gives the number of a name.
func (t *pageTree) name(name string) int64 {
	n, known := t.numbers[name]
	if !known {
		n = int64(len(t.names))
		t.numbers[name] = n
		t.names = append(t.names, name)
	}
	return n
}

// inner adds a node that is as large as those in it. The depth of those outside is 0.
func (t *pageTree) inner(depth int, name string, calls int64) {
	t.node(depth, 2*t.name(name), calls)
}

// leaf adds a node that has objects.
func (t *pageTree) leaf(depth int, name string, objects, bytes int64) {
	t.node(depth, 2*t.name(name)+1, objects, bytes)
}

// weight is leaf for what is no number of objects.
func (t *pageTree) weight(depth int, name string, objects, bytes float64) {
	t.begin(depth, 2*t.name(name)+1)
	for _, v := range []float64{objects, bytes} {
		t.text = strconv.AppendFloat(append(t.text, ','), v, 'g', 9, 64)
	}
	t.out.Write(t.text)
}

func (t *pageTree) node(depth int, name int64, numbers ...int64) {
	t.begin(depth, name)
	for _, n := range numbers {
		t.text = strconv.AppendInt(append(t.text, ','), n, 10)
	}
	t.out.Write(t.text)
}

// begin begins the text of a node.
func (t *pageTree) begin(depth int, name int64) {
	up := 0
	t.text = t.text[:0]
	if t.nodes > 0 {
		t.text = append(t.text, ',')
		up = t.depth + 1 - depth
	}
	t.text = strconv.AppendInt(t.text, int64(up), 10)
	t.text = strconv.AppendInt(append(t.text, ','), name, 10)
	t.nodes, t.depth = t.nodes+1, depth
}

// end ends the tree.
func (t *pageTree) end() { fmt.Fprintf(t.out, `],"count":%d`, t.nodes) }

// data adds to the page's data.
func (t *pageTree) data(name string, value any) error {
	text, err := json.Marshal(value) // with < as \u003c, so that no name ends the script
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, `,"%s":`, name)
	t.out.Write(text)
	return nil
}

// close ends the data with the names.
func (t *pageTree) close() error {
	if t.names == nil {
		t.names = []string{}
	}
	if err := t.data("names", t.names); err != nil {
		return err
	}
	t.out.WriteString("}")
	return nil
}

// pageBranch is a leaf of a page's tree, and the way to it.
type pageBranch struct {
	path           []string // outermost first, the leaf last
	objects, bytes int64
}

// writePageBranches writes a tree of leaves as the data of a page. Leaves with the same path keep their order.
func writePageBranches(out *bufio.Writer, branches []pageBranch) error {
	slices.SortStableFunc(branches, func(a, b pageBranch) int { return slices.Compare(a.path, b.path) })
	t := newPageTree(out)
	var before []string
	for _, b := range branches {
		inner := b.path[:len(b.path)-1]
		depth := 0
		for depth < len(inner) && depth < len(before) && inner[depth] == before[depth] {
			depth++
		}
		for ; depth < len(inner); depth++ {
			t.inner(depth, inner[depth], 0)
		}
		t.leaf(depth, b.path[depth], b.objects, b.bytes)
		before = inner
	}
	t.end()
	return t.close()
}
