package contexts

import (
	"testing"

	"mallard/internal/calltree"
)

// TestUnchanged: only what is the same as when it was recorded last is left out, node by node, and nothing that has
// been emptied since.
func TestUnchanged(t *testing.T) {
	u := newUnchanged()
	const near, far = 40, 1 << 30 // a node takes 40 bytes at least
	one, two := mix(mix(1, 7), 5), mix(mix(1, 7), 6)
	for i, step := range []struct {
		node, far bool
		hash      uint64
		want      bool
	}{
		{hash: one}, {hash: one, want: true}, {node: true, hash: one}, {far: true, hash: one},
		{hash: two}, {hash: two, want: true}, {hash: one}, {node: true, hash: one, want: true},
		{far: true, hash: one, want: true},
	} {
		n := 5 * near
		if step.node {
			n += near
		}
		if step.far {
			n += far
		}
		if got := u.is(calltree.Node(n), step.hash); got != step.want {
			t.Errorf("step %d: %v", i, got)
		}
	}
	u.forget(calltree.Node(5 * near))
	u.forget(calltree.Node(1 << 40)) // of which nothing is known
	if u.is(calltree.Node(5*near), one) || !u.is(calltree.Node(6*near), one) {
		t.Error("what was forgotten is known, or another node is not")
	}
	if one == two || mix(0, 0) == mix(0, 1) {
		t.Error("hashes do not differ")
	}
}
