package replicas_test

import (
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
)

// TestChosen: where classes are chosen objects of these are hashed, as exactly as without, and no others. Patterns mean
// what they mean in reports, whose code shares nothing with the agent's.
func TestChosen(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, pattern := range []string{"Planted$Fields, byte[]", "*Inherits", "java.lang", "*[],lang.*", "Object[]"} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			r := record(t, jdk, planted(t, jdk, few, "shuffled", heaps[0]...), "--replicas-of", pattern)
			if r.answer.Hashed != pattern || len(r.answer.Rows) == 0 {
				t.Errorf("%q: %d rows, and %q is said", pattern, len(r.answer.Rows), r.answer.Hashed)
			}
			for _, row := range r.answer.Rows {
				if name := r.history.Name(row.Class); !profile.MatchName(pattern, name) {
					t.Errorf("%q: %s was hashed", pattern, name)
				}
			}
			for kind, want := range r.printed(t) {
				if !profile.MatchName(pattern, classOf[kind[:len(kind)-len(percentOf(kind))]]) {
					continue
				}
				if kind == "strings90" {
					want.groups, want.largest = want.objects, 1
				}
				row, near := r.row(t, kind), r.answer.Walks*threads
				if short := want.objects - row.Hashed.Objects; short < 0 || short > near ||
					max(row.Largest-want.largest, want.largest-row.Largest) > near {
					t.Errorf("%q: %s: %d objects, the largest group %d, want %+v", pattern, kind, row.Hashed.Objects,
						row.Largest, want)
				}
			}
		}
	})
}

// percentOf is the number at the end of a kind's name.
func percentOf(kind string) string {
	at := len(kind)
	for at > 0 && kind[at-1] >= '0' && kind[at-1] <= '9' {
		at--
	}
	return kind[at:]
}
