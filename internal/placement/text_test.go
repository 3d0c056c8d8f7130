package placement

import (
	"strings"
	"testing"

	"mallard/internal/bytecode"
)

// Package bytecode has the same three places for code, with the same values.
var _ = [1]struct{}{}[Position(bytecode.Always)-Always+
	Position(bytecode.FallThrough)-FallThrough+Position(bytecode.Taken)-Taken]

func TestParseStrategy(t *testing.T) {
	for _, s := range strategies {
		if got, err := ParseStrategy(s.String()); err != nil || got != s {
			t.Errorf("%v: %v, %v", s, got, err)
		}
	}
	if _, err := ParseStrategy("best"); err == nil || !strings.Contains(err.Error(), `"best"`) {
		t.Errorf("best: %v", err)
	}
}

func TestDot(t *testing.T) {
	pr := letters(t, "A-B:9 A-C:1 B-D:9 C-D:1 D-X:10", "B")
	pl, err := Place(pr, DuckTracks)
	if err != nil {
		t.Fatal(err)
	}
	var s strings.Builder
	if err := pl.Dot(&s, "run"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`digraph "run" {`,
		`b1 [label="b1 [3,6) freq 9 idom b0\nφ {1:+1}\n3 allocates {1:+1}"];`,
		`b0 -> b1 [label="fallthrough 9\ncounts {1:+1}"];`,
		`b3 -> exit [label="return 10"];`,
	} {
		if !strings.Contains(s.String(), want) {
			t.Errorf("no %s in\n%s", want, &s)
		}
	}
}

// TestSharedInsertionPoints: equal meanings take one counter, and branches to one place one
// piece of code.
func TestSharedInsertionPoints(t *testing.T) {
	// φ of site 0 is not zero on the ways to D from A and from B, and zero from C.
	pr := letters(t, "A-B:5 A-D:2 B-C:3 B-D:2 C-D:3 D-X:7", "A")
	phi := make([]Vector, len(pr.Graph.Blocks))
	phi[1] = Vector{{0, -1}}
	pl := assemble(pr, Optimal, phi, nil)
	if err := Check(pr, pl); err != nil {
		t.Fatal(err)
	}
	text := func(points []InsertionPoint) string {
		var all []string
		for _, s := range points {
			all = append(all, s.String())
		}
		return strings.Join(all, "; ")
	}
	want := "before 6; before 9 coming from 2; before 9 coming from 5"
	if got := text(pl.InsertionPoints()); got != want {
		t.Errorf("points: %s, want %s", got, want)
	}
	shared := pl.SharedInsertionPoints()
	if got, want := text(shared), "before 6; before 9 coming from 2 5"; got != want {
		t.Errorf("shared: %s, want %s", got, want)
	}
	if shared[0].Counter != shared[1].Counter {
		t.Error("equal meanings have two counters")
	}
}
