package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
)

// text prints a tree with its objects and calls.
func (t *Tree) text() string {
	var b strings.Builder
	depths := make([]int, len(t.Nodes))
	for i, n := range t.Nodes {
		if n.Parent >= 0 {
			depths[i] = depths[n.Parent] + 1
		}
		name := t.Title(&n)
		if n.Line >= 0 {
			name += fmt.Sprintf(":%d", n.Line)
		}
		fmt.Fprintf(&b, "%s%s %d", strings.Repeat("  ", depths[i]), name, n.Amount.Objects)
		if n.Calls > 0 {
			fmt.Fprintf(&b, " in %d calls", n.Calls)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestTree(t *testing.T) {
	p := fold(t, profiletest.Contexts)
	for _, test := range []struct {
		query TreeQuery
		want  string
	}{
		{TreeQuery{}, `
[unknown] 7
  java.util.HashMap.hash 7
    java.util.HashMap$Node 7
demo.App.main 113 in 1 calls
  int[] 1
  demo.App.walk 8 in 1 calls
    demo.Point 1
    demo.App.walk 7 in 2 calls
      demo.Point 2
      demo.App.walk 5 in 4 calls
        byte[] 2
        demo.Point 3
  java.util.HashMap.put 104 in 104 calls
    java.util.HashMap.newNode 104 in 104 calls
      java.util.HashMap$Node 104
java.lang.Thread.run 50 in 2 calls
  demo.App.run 50 in 2 calls
    jdk.internal.reflect.NativeMethodAccessorImpl.invoke0 50 in 50 calls
      java.util.HashMap.put 50 in 50 calls
        java.util.HashMap.newNode 50 in 50 calls
          java.util.HashMap$Node 50
`},
		{TreeQuery{Threads: true, Lines: true, Filter: Filter{Class: "java.*", Under: "*.main"}}, `
main 104
  demo.App.main:11 4
    java.util.HashMap.put:613 4
      java.util.HashMap.newNode:1797 4
        java.util.HashMap$Node 4
  demo.App.main:12 100
    java.util.HashMap.put:613 100
      java.util.HashMap.newNode:1797 100
        java.util.HashMap$Node 100
`},
	} {
		tree := p.Tree(test.query)
		if diff := cmp.Diff(test.want, "\n"+tree.text()); diff != "" {
			t.Errorf("%+v: -want +got:\n%s", test.query, diff)
		}
		if tree.Total != p.Rows(Query{Filter: test.query.Filter}).Selected {
			t.Errorf("%+v: %+v", test.query, tree.Total)
		}
	}
	if tree := fold(t, process).Tree(TreeQuery{}); len(tree.Nodes) != 0 {
		t.Errorf("%d nodes of nothing", len(tree.Nodes))
	}
}
