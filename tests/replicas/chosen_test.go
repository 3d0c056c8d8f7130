package replicas_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/profile"
	"mallard/internal/replica"
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

// TestChosenMethods: where methods are chosen what is said of what they make, and of nothing else, is what is said if
// all is hashed, to the object. Of others only what has no tag is hashed, and what is born before the agent knows.
func TestChosenMethods(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, test := range []struct {
			methods string
			flags   []string
			objects int
			most    float64 // share of all others that may be hashed
		}{
			{"Planted.fields*, ints65", nil, 5000, 0.3},
			{"ints65,keeps90,element90", []string{"--replicas-of", "int[],Planted$*"}, 5000, 0.3},
			{"element90,keeps90,ints0",
				[]string{"--track", "contexts,replicas", "--snapshots", "20ms"}, 30_000, 0.5},
		} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			run := func(flags ...string) recorded {
				command := planted(t, jdk, test.objects, "shuffled", heaps[i]...)
				command.Args[0] = "1" // thread: then no object is found half made
				return record(t, jdk, command, append(flags, test.flags...)...)
			}
			all, chosen := run(), run("--replicas-in", test.methods)
			if chosen.answer.In != test.methods || all.answer.In != "" {
				t.Errorf("%q: %q is said, and without %q", test.methods, chosen.answer.In, all.answer.In)
			}
			want := all.madeIn(test.methods)
			if len(want) < 2 {
				t.Errorf("%q: %d rows are nothing to check", test.methods, len(want))
			}
			if diff := cmp.Diff(want, chosen.madeIn("")); diff != "" {
				t.Errorf("%q: -without +with\n%s", test.methods, diff)
			}
			of := chosen.answer.All.Objects
			others, most := chosen.answer.Objects-of, all.answer.Objects-of
			t.Logf("%q: %d objects, and of %d others %d were hashed", test.methods, of, most, others)
			if float64(others) > test.most*float64(most) {
				t.Errorf("%q: of %d objects of others %d were hashed", test.methods, most, others)
			}
		}
	})
}

// madeIn are rows of what methods make, "" for all that there are, by class and site. They are the same in each run.
func (r *recorded) madeIn(methods string) map[string]replica.Row {
	rows := map[string]replica.Row{}
	for _, row := range r.answer.Rows {
		method, bci := "(unknown)", int32(0)
		if site := r.counts.Site(row.Class); site != nil {
			method, bci = site.Class+"."+site.Method, site.BCI
		}
		if profile.MatchName(methods, method) {
			at := fmt.Sprintf("%s at %s:%d", r.history.Name(row.Class), method, bci)
			row.Class = 0                                                                 // a number
			row.Lived, row.Met, row.Soon = replica.Copies{}, heap.Amount{}, heap.Amount{} // when collections come
			rows[at] = row
		}
	}
	return rows
}

// percentOf is the number at the end of a kind's name.
func percentOf(kind string) string {
	at := len(kind)
	for at > 0 && kind[at-1] >= '0' && kind[at-1] <= '9' {
		at--
	}
	return kind[at:]
}
