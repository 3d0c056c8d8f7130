package objects_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/export"
	"mallard/internal/export/pagetest"
	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
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
					checkChurn(t, history, rounds, each)
					checkSpan(t, history, each, young)
					checkLifetimesPage(t, p, history, rounds, each, young)
				})
			}
		}
	})
}

// checkChurn has what a first collection found dead be what the program says, also where collections were full, of
// which sums do not know it.
func checkChurn(t *testing.T, h *heap.History, rounds, each int64) {
	t.Helper()
	want := map[string][2]int64{"Lives0": {each * (rounds - 1), each * (rounds - 1)},
		"Lives0Or4": {each / 2 * (rounds - 1), each * (rounds - 1)}}
	for _, name := range []string{"Lives1", "Lives2", "Lives5"} {
		want[name] = [2]int64{0, each * (rounds - 1)}
	}
	churn := h.Churn(heap.Query{By: []heap.By{heap.ByClass}, Class: "Lifetimes$*"})
	got, cost := map[string][2]int64{}, time.Duration(0)
	for _, r := range churn.Rows {
		got[strings.TrimPrefix(h.Name(r.Class), "Lifetimes$")] = [2]int64{r.Soon.Objects, r.Met.Objects}
		cost += r.Cost
	}
	if diff := cmp.Diff(want, got); diff != "" || !churn.Singly || cost != churn.Cost {
		t.Errorf("churn, of single objects: %v, cost %v, in all %v: -want +got\n%s", churn.Singly, cost, churn.Cost,
			diff)
	}
}

// Of rounds in the middle, each between two collections, all is known of when their objects died.
const spanRounds = 5

// spanOf gives the pauses of the collections around these rounds, behind which as many follow as the objects live for.
func spanOf(t *testing.T, h *heap.History) (before, last int) {
	t.Helper()
	var collections []int
	for i := range h.Pauses {
		if p := &h.Pauses[i]; !p.Ended && p.Collected != heap.Nothing {
			collections = append(collections, i)
		}
	}
	n := len(collections)
	if n < 16 {
		t.Fatalf("%d collections", n)
	}
	return collections[n-8-spanRounds], collections[n-8]
}

// checkSpan has lifetimes of a span be of the objects of its rounds.
func checkSpan(t *testing.T, h *heap.History, each int64, young bool) {
	t.Helper()
	before, last := spanOf(t, h)
	q := heap.Query{By: []heap.By{heap.ByClass}, Class: "Lifetimes$*",
		Span: profile.Span{From: h.Pauses[before+1].Start, To: h.Pauses[last].Start + 1}}
	ages, err := h.Ages(q)
	if err != nil {
		t.Fatal(err)
	}
	const all = spanRounds
	want := map[string][3]int64{"Lives0": {all * each, all * each, 0}, "Lives1": {all * each, 0, 1},
		"Lives2": {all * each, 0, 2}, "Lives5": {all * each, 0, 5}, "Lives0Or4": {all * each, all * each / 2, 4}}
	got := map[string][3]int64{}
	for _, r := range ages.Rows {
		longest, _ := r.Collections.Quantile(1)
		got[strings.TrimPrefix(h.Name(r.Class), "Lifetimes$")] = [3]int64{r.Met.Objects, r.Soon.Objects, longest}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("single objects of a span: -want +got\n%s", diff)
	}
	got = map[string][3]int64{}
	for _, r := range h.Lifetimes(q).Rows {
		name := strings.TrimPrefix(h.Name(r.Class), "Lifetimes$")
		if got[name] = [3]int64{r.Met.Objects, r.Soon.Objects, int64(r.Quantile(1).Collections)}; !young {
			got[name] = [3]int64{r.Met.Objects, want[name][1], want[name][2]} // sums do not know it
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sums of a span: -want +got\n%s", diff)
	}
}

// checkLifetimesPage has a browser say what the page has of the program's classes: how long they live, and how many of
// them the maps have in the old generation.
func checkLifetimesPage(t *testing.T, p *profile.Profile, h *heap.History, rounds, each int64, young bool) {
	t.Helper()
	end, err := h.End()
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	q := heap.Query{By: []heap.By{heap.ByClass}, Sort: profile.SortObjects}
	if err := export.HeapPage(&page, "lifetimes.mallard", p, h, end, q); err != nil {
		t.Fatal(err)
	}
	before, last := spanOf(t, h)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, pagetest.WithScript(page.Bytes(), fmt.Sprintf("const BEFORE = %d, LAST = %d;\n",
		before+1, last+1)+` // points begin with the start
document.querySelector("[data-panel=graph]").click();
for (const name of ["Lives0", "Lives1", "Lives2", "Lives5", "Lives0Or4"]) {
  search("/Lifetimes\\$" + name + "$/"); press("n"); say("status"); search("");
}
on("to").value = LAST; on("to").dispatchEvent(new Event("input"));
on("from").value = BEFORE; on("from").dispatchEvent(new Event("input"));
for (const name of ["Lives0", "Lives1", "Lives2", "Lives5", "Lives0Or4"]) {
  search("/Lifetimes\\$" + name + "$/"); press("n"); say("status"); search("");
}
document.querySelector("[data-panel=map]").click();
for (let n = 0; n <= +on("moment").max; n++) {
  on("moment").value = n;
  on("moment").dispatchEvent(new Event("input"));
  const boxes = [...document.querySelectorAll(".space:nth-child(3) .bar i")].map(box => box.lines.join(" "));
  said.push([on("when").textContent, ...boxes.filter(text => text.startsWith("Lifetimes$")).sort()].join("\n"));
}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	said := pagetest.Browse(t, "file://"+file)
	classes := []struct {
		name, died, median string
	}{{"Lives0", "100.0", "at most 0 collections"}, {"Lives1", "0.0", "at most 1 collection"},
		{"Lives2", "0.0", "at most 2 collections"}, {"Lives5", "0.0", "at most 5 collections"},
		{"Lives0Or4", "50.0", "at most 0 collections"}}
	for i, text := range said[:min(2*len(classes), len(said))] {
		want, born := classes[i%len(classes)], each*rounds
		if i >= len(classes) {
			born = each * spanRounds
		}
		for _, part := range []string{"Lifetimes$" + want.name + fmt.Sprintf(" · %d,000 objects born", born/1000),
			want.died + " % of the objects", "half of them came through " + want.median} {
			if !strings.Contains(text, part) {
				t.Errorf("%q lacks %q", text, part)
			}
		}
	}
	if !young {
		checkMapsOfLifetimes(t, said[min(2*len(classes), len(said)):])
	}
}

// checkMapsOfLifetimes looks at maps behind full collections, which leave in the old generation all that lives: of each
// class what was made in as many rounds as it lives for.
func checkMapsOfLifetimes(t *testing.T, maps []string) {
	t.Helper()
	const want = "Lifetimes$Lives0Or4 in old: 4,000 objects, 160,000 bytes\n" +
		"Lifetimes$Lives1 in old: 2,000 objects, 32,000 bytes\n" +
		"Lifetimes$Lives2 in old: 4,000 objects, 96,000 bytes\n" +
		"Lifetimes$Lives5 in old: 10,000 objects, 320,000 bytes"
	full := 0
	for _, text := range maps {
		when, classes, _ := strings.Cut(text, "\n")
		if !strings.Contains(when, "(full)") {
			continue
		}
		if full++; full > 6 && classes != want {
			t.Errorf("%s\n%s\nwant\n%s", when, classes, want)
		}
	}
	if full < 16 {
		t.Errorf("%d full collections: %q", full, maps)
	}
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
// had its tag has its site where single objects are followed, and in sums may have none: one of a site each, which
// happens in few of them.
func checkMet(t *testing.T, h *heap.History, rows []heap.AgesRow, sums map[heap.Class]heap.LifetimeRow, by heap.By) {
	t.Helper()
	untagged := int64(0)
	if by == heap.BySite {
		untagged = 3
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
