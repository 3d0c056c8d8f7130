package export

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// TestOmitted combines what is small. All other frames keep their numbers, and nothing is missing from the sum.
func TestOmitted(t *testing.T) {
	p := fold(t, profiletest.Contexts)
	for _, share := range []float64{0, 1, 5, 20, 100} {
		t.Run(fmt.Sprint(share), func(t *testing.T) {
			whole := p.Tree(profile.TreeQuery{})
			tree, omitted := whole.Omit(share)
			sums, missing := make([]profile.Amount, len(tree.Nodes)), profile.Amount{}
			before := map[string]profile.Amount{}
			eachPath(whole, func(path string, n *profile.TreeNode) { before[path] = n.Amount })
			for i := len(tree.Nodes) - 1; i >= 0; i-- {
				n := &tree.Nodes[i]
				if n.Kind == profile.OmittedNode {
					missing.Add(n.Amount)
				}
				if n.Parent >= 0 {
					sums[n.Parent].Add(n.Amount)
				}
			}
			eachPath(tree, func(path string, n *profile.TreeNode) {
				if n.Kind != profile.OmittedNode && before[path] != n.Amount {
					t.Errorf("%s: %+v, before %+v", path, n.Amount, before[path])
				}
			})
			for i, sum := range sums {
				if n := &tree.Nodes[i]; n.Kind == profile.MethodNode && sum != n.Amount {
					t.Errorf("%s: %+v, its children %+v", tree.Title(n), n.Amount, sum)
				}
			}
			if missing != omitted || (share == 0) != (omitted == profile.Amount{}) {
				t.Errorf("omitted %+v, want %+v", omitted, missing)
			}
			var out bytes.Buffer
			if _, err := Pprof(&out, "x", p, profile.Filter{}, share); err != nil {
				t.Fatal(err)
			}
			made, err := pprof.Parse(&out)
			if err != nil {
				t.Fatal(err)
			}
			var objects, size int64
			for _, s := range made.Sample {
				objects, size = objects+s.Value[0], size+s.Value[1]
			}
			if objects != p.Total.Objects || size != p.Total.Bytes {
				t.Errorf("pprof has %d objects, %d bytes", objects, size)
			}
		})
	}
	var out strings.Builder
	if _, _, err := (Collapsed{Min: 20}).Write(&out, p); err != nil {
		t.Fatal(err)
	}
	want := `[omitted] 7
demo/App.main;[omitted] 9
demo/App.main;java/util/HashMap.put;java/util/HashMap.newNode;java.util.HashMap$Node_[i] 104
java/lang/Thread.run;demo/App.run;jdk/internal/reflect/NativeMethodAccessorImpl.invoke0;\
java/util/HashMap.put;java/util/HashMap.newNode;java.util.HashMap$Node_[i] 50
`
	if diff := cmp.Diff(strings.ReplaceAll(want, "\\\n", ""), out.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func eachPath(tree *profile.Tree, yield func(path string, n *profile.TreeNode)) {
	paths := make([]string, len(tree.Nodes))
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Parent >= 0 {
			paths[i] = paths[n.Parent] + ";"
		}
		paths[i] += fmt.Sprint(n.Kind, tree.Title(n))
		yield(paths[i], n)
	}
}
