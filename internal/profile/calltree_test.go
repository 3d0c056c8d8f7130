package profile

import (
	"math/rand/v2"
	"testing"

	"mallard/internal/symbols"
)

// TestChildren: calls that agree are one context, whether a context has few children or thousands.
func TestChildren(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	tree, known := newCallTree(), map[contextKey]int32{}
	for i := range int32(20) {
		tree.method(symbols.MethodKey{Name: string('a' + rune(i))}, func() symbols.Method { return symbols.Method{} })
	}
	for range 30_000 {
		parent := int32(-1)
		if n := len(tree.contexts); n > 0 && random.IntN(4) > 0 {
			parent = int32(random.IntN(min(n, 300))) // some have many
		}
		key := contextKey{parent, random.Int32N(20), random.Int32N(5) - 1, random.Int32N(3) - 1}
		got := tree.child(key.parent, key.method, key.bci, key.line)
		want, is := known[key]
		if !is {
			want = int32(len(known))
			known[key] = want
		}
		if got != want {
			t.Fatalf("%+v is context %d, want %d", key, got, want)
		}
		if c := tree.contexts[got]; (contextKey{c.Parent, c.Method, c.BCI, c.Line}) != key {
			t.Fatalf("context %d is %+v, want %+v", got, c, key)
		}
	}
	if wide := len(tree.children.others); wide == 0 || wide == len(known) {
		t.Errorf("%d of %d are not in lists", wide, len(known))
	}
}
