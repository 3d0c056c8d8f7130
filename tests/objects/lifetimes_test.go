package objects_test

import (
	"fmt"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestLifetimes holds ages of single objects against a program that keeps objects for so many collections, young or
// full ones, and against what sums say of them.
func TestLifetimes(t *testing.T) {
	const rounds, each = 16, 2000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			for k, collected := range []string{"young", "full"} {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				t.Run(collector+" "+collected, func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Lifetimes")
					command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx256m", "-Xmn32m",
						"-XX:MaxTenuringThreshold=15", "-XX:InitialTenuringThreshold=15",
						"-XX:-UseAdaptiveSizePolicy", "-XX:TargetSurvivorRatio=90"}
					command.Args = []string{collected, fmt.Sprint(rounds)}
					history, p, output := recordedBoth(t, jdk, command, "--each-object")
					if output.Stdout != "0 rounds were disturbed\n" {
						t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
					}
					checkHeap(t, jdk, history)
					young := collected == "young"
					checkLifetimes(t, history, heap.ByClass, rounds, each, young)
					checkLifetimes(t, history.BySites(p.Tagged), heap.BySite, rounds, each, young)
				})
			}
		}
	})
}

// checkLifetimes looks at all classes, and at those of the program. Where collections were full sums do not know how
// long objects live: they take those that are old to be the ones that live on.
func checkLifetimes(t *testing.T, h *heap.History, by heap.By, rounds, each int64, young bool) {
	t.Helper()
	q := heap.Query{By: []heap.By{by}}
	sums := map[heap.Class]heap.LifetimeRow{}
	for _, r := range h.Lifetimes(q).Rows {
		sums[r.Class] = r
	}
	all, err := h.Ages(q)
	if err != nil {
		t.Fatal(err)
	}
	checkMet(t, h, all.Rows, sums, by)
	q.Class = "Lifetimes$*"
	answer, err := h.Ages(q)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Unknown != (heap.Unknown{}) {
		t.Errorf("not all is known: %+v", answer.Unknown)
	}
	lives := map[string]int64{"Lives0": 0, "Lives1": 1, "Lives2": 2, "Lives5": 5, "Lives0Or4": 4}
	found := 0
	for _, r := range answer.Rows {
		name, sum := h.Name(r.Class), sums[r.Class]
		age, is := lives[strings.TrimPrefix(name, "Lifetimes$")]
		if !is {
			continue
		}
		found++
		soon := int64(0)
		switch name {
		case "Lifetimes$Lives0":
			soon = each * (rounds - 1)
		case "Lifetimes$Lives0Or4":
			soon = each / 2 * (rounds - 1)
		}
		if r.Met.Objects != each*(rounds-1) || r.Soon.Objects != soon ||
			young && r.Soon != sum.Soon {
			t.Errorf("%s: %d are met, %d dead at once, by sums %d and %d; want %d and %d", name, r.Met.Objects,
				r.Soon.Objects, sum.Met.Objects, sum.Soon.Objects, each*(rounds-1), soon)
		}
		share := float64(r.Met.Objects-soon) / float64(r.Met.Objects)
		if age == 0 {
			share = 1
		}
		for to, want := range map[int64]float64{age: share, age + 1: 0} {
			if got, known := r.Collections.Survival(to); !known || got < want-1e-9 || got > want+1e-9 {
				t.Errorf("%s: %v come through %d collections (%v), want %v", name, got, to, known, want)
			}
		}
		for _, share := range []float64{0.3, 0.5} {
			got, atLeast := r.Collections.Quantile(share)
			want := age
			if name == "Lifetimes$Lives0Or4" {
				want = 0
			}
			if got != want || atLeast {
				t.Errorf("%s: %v come through %d collections (at least: %v), want %d", name, share, got, atLeast, want)
			}
			if bySums := sum.Quantile(share); young && (int64(bySums.Collections) != got || bySums.AtLeast) {
				t.Errorf("%s: %v come through %s collections by sums, want %d", name, share, bySums, got)
			}
			checkTime(t, h, name, got, share, r)
		}
	}
	if found != len(lives) {
		t.Errorf("%d of %d classes are there", found, len(lives))
	}
}

// checkMet holds what collections have come to against sums of it. An object that one of them has interrupted before it
// had its tag has its site where single objects are followed, and in sums may have none: one of a site at most.
func checkMet(t *testing.T, h *heap.History, rows []heap.AgesRow, sums map[heap.Class]heap.LifetimeRow, by heap.By) {
	t.Helper()
	untagged := int64(0)
	if by == heap.BySite {
		untagged = 1
	}
	singly := map[heap.Class]heap.Amount{}
	for class := range sums {
		singly[class] = heap.Amount{}
	}
	for _, r := range rows {
		singly[r.Class] = r.Met
	}
	type met struct{ singly, sum heap.Amount }
	ofClass := map[string]met{}
	for class, have := range singly {
		name, sum := h.Name(class), sums[class].Met
		// int[] are also what the VM fills memory with, which it does anew in each collection
		if name == "int[]" {
			continue
		}
		if more := have.Objects - sum.Objects; max(more, -more) > untagged || more == 0 && have != sum {
			t.Errorf("%s at %v: collections have come to %+v, by sums to %+v", name, h.Site(class), have, sum)
		}
		m := ofClass[name]
		m.singly.Objects, m.singly.Bytes = m.singly.Objects+have.Objects, m.singly.Bytes+have.Bytes
		m.sum.Objects, m.sum.Bytes = m.sum.Objects+sum.Objects, m.sum.Bytes+sum.Bytes
		ofClass[name] = m
	}
	for name, m := range ofClass {
		if m.singly != m.sum {
			t.Errorf("%s: collections have come to %+v, by sums to %+v", name, m.singly, m.sum)
		}
	}
}

// checkTime holds an age in seconds and bytes against those between as many collections.
func checkTime(t *testing.T, h *heap.History, name string, collections int64, share float64, r heap.AgesRow) {
	t.Helper()
	shortest, longest := int64(1)<<62, int64(0)
	for i, born := range h.Pauses {
		passed := int64(0)
		for _, dead := range h.Pauses[i:] {
			if passed == collections {
				shortest = min(shortest, int64(dead.Start-born.Start))
				longest = max(longest, int64(dead.Start-born.Start))
			}
			if dead.Collected != heap.Nothing {
				passed++
			}
		}
	}
	if got, _ := r.Time.Quantile(share); got < shortest-shortest/500 || got > longest {
		t.Errorf("%s: %v live for %d ns, %d collections take %d to %d", name, share, got, collections, shortest,
			longest)
	}
	least := collections * r.Met.Bytes / 20 // what is made in a round, and more
	if got, _ := r.Allocated.Quantile(share); got < least || collections == 0 && got != 0 {
		t.Errorf("%s: %v live for %d bytes, there were at least %d", name, share, got, least)
	}
}
