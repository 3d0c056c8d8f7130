package export

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

// livedReader has a reader choose a span, and look at all that was born in it, class by class.
const livedReader = heapReader + `
const choose = (from, to) => {
  on("whole").click();
  for (const [id, value] of [["to", to], ["from", from]]) {
    on(id).value = value;
    on(id).dispatchEvent(new Event("input"));
  }
};
const look = name => { search("/^" + name + "$/"); press("n"); say("status"); search(""); };
`

// TestHeapPageLifetimesOfSpan: what the page says of any span is what --lifetimes --from --to does, of sums and of
// single objects; what was born is what --diff has.
func TestHeapPageLifetimesOfSpan(t *testing.T) {
	const pauses = 40
	for _, singly := range []bool{false, true} {
		t.Run(fmt.Sprintf("single %v", singly), func(t *testing.T) {
			events := heaptest.Random(rand.New(rand.NewPCG(3, 4)), pauses)
			if singly {
				events = new(heaptest.Events).RandomSingles(rand.New(rand.NewPCG(3, 4)), pauses)
			}
			p, h := openHeap(t, events)
			script := livedReader + "tab('graph'); press('o');\n"
			var want []string
			for _, span := range [][2]int{{0, len(h.Pauses)}, {5, 6}, {12, 30}, {20, len(h.Pauses)}, {0, 1}} {
				script += fmt.Sprintf("choose(%d, %d); say('legend');\n", span[0], span[1])
				want = append(want, legendText(pointText(h, span[0]), pointText(h, span[1])))
				classes := livedOf(t, h, span[0], span[1])
				if len(classes) < 2 {
					t.Fatalf("%v has %d classes", span, len(classes))
				}
				for _, class := range classes {
					script += fmt.Sprintf("look(%q);\n", strings.NewReplacer(".", "\\.", "[", "\\[", "]", "\\]").
						Replace(class.name))
					want = append(want, class.text)
				}
			}
			if diff := cmp.Diff(want, browse(t, heapPageOf(t, p, h), script)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// legendText is of what was born between two moments.
func legendText(from, to string) string {
	return "Born between " + from + " and " + to +
		".Died in the first collection:0 %25 %50 %75 %100 %no collection came"
}

// pointText names a point of a timeline that has all pauses.
func pointText(h *heap.History, point int) string {
	if point == 0 {
		return "the start"
	}
	return momentText(h, point-1)
}

type livedClass struct{ name, text string }

// livedOf has what questions say of the classes of which something was born between two points.
func livedOf(t *testing.T, h *heap.History, from, to int) (list []livedClass) {
	t.Helper()
	q := heap.Query{By: []heap.By{heap.ByClass}, Sort: profile.SortObjects}
	if from > 0 {
		q.Span.From = h.Pauses[from].Start
	}
	if to < len(h.Pauses) {
		q.Span.To = h.Pauses[to].Start
	}
	met, soon, half := map[string]heap.Amount{}, map[string]heap.Amount{}, map[string]string{}
	if h.HasSingles() {
		ages, err := h.Ages(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range ages.Rows {
			name := h.Title(r.Class)
			met[name], soon[name] = r.Met, r.Soon
			n, atLeast := r.Collections.Quantile(0.5)
			half[name] = halfText(n, atLeast)
		}
	} else {
		for _, r := range h.Lifetimes(q).Rows {
			name, age := h.Title(r.Class), r.Quantile(0.5)
			met[name], soon[name], half[name] = r.Met, r.Soon, halfText(int64(age.Collections), age.AtLeast)
		}
	}
	everything, born := bornBetween(h, from, to)
	for name, a := range born {
		text := fmt.Sprintf("%s · %s objects born, %s %% · %s bytes born, %s %%", name, grouped(a.Objects),
			percent(a.Objects, everything.Objects), grouped(a.Bytes), percent(a.Bytes, everything.Bytes))
		if met[name].Objects > 0 {
			text += fmt.Sprintf(" · died in the first collection that came to them: %s %% of the objects, %s %% of "+
				"the bytes · half of them came through %s", percent(soon[name].Objects, met[name].Objects),
				percent(soon[name].Bytes, met[name].Bytes), half[name])
		} else {
			text += " · no collection came to them"
		}
		list = append(list, livedClass{name, text})
	}
	return list
}

// bornBetween asks --diff, class by class.
func bornBetween(h *heap.History, from, to int) (everything heap.Amount, by map[string]heap.Amount) {
	by = map[string]heap.Amount{}
	for _, r := range h.Diff(from-1, to-1, heap.Query{By: []heap.By{heap.ByClass}}).Rows {
		if r.Class != heap.Unused && r.Born.Objects > 0 {
			by[h.Title(r.Class)] = r.Born
			everything = heap.Sum(everything, r.Born)
		}
	}
	return everything, by
}

// halfText is how the page says it.
func halfText(n int64, atLeast bool) string {
	lowest := heap.RoundedAge(n)
	highest := lowest
	for !atLeast && heap.RoundedAge(highest+1) == lowest {
		highest++
	}
	text := counted(highest, "collection")
	if atLeast {
		return text + ", perhaps more"
	}
	return "at most " + text
}

// TestManyHeapPageLifetimes has more to tell than there is room for: spans are longer than those that are chosen, and
// it is said.
func TestManyHeapPageLifetimes(t *testing.T) {
	const pauses, classes = 200, 400
	e := &heaptest.Events{}
	for i := range uint64(pauses) {
		var born []heaptest.Row
		for k := range uint64(classes) {
			born = append(born, heaptest.Row{Class: fmt.Sprintf("demo/C%d", k), Objects: 1 + i, Bytes: 16 * (1 + i)})
		}
		e.Born(born...)
		e.Walk(heaptest.Walk{Collection: i, Start: i * 1e7, Last: i == pauses-1})
		if i < pauses-1 {
			e.Finish(i*1e7+1e6, abi.HeapYoung)
		}
	}
	p, h := openHeap(t, e)
	page := heapPageOf(t, p, h)
	got := browse(t, page, livedReader+`
tab("graph"); press("o"); say("legend"); look("demo\.C7");
choose(50, 61); say("legend"); look("demo\.C7");
tab("changes"); choose(100, 104); tab("graph"); say("legend"); look("demo\.C7");
search("C7"); say("found"); choose(0, 4); say("found");
document.querySelectorAll("li").forEach(item => said.push(item.textContent));
`)
	described := func(from, to int) string { // pauses
		n := 0
		for i := from; i < to; i++ {
			n += 1 + i
		}
		return fmt.Sprintf("demo.C7 · %s objects born, 0.3 %% · %s bytes born, 0.3 %% · died in the first collection "+
			"that came to them: 100.0 %% of the objects, 100.0 %% of the bytes · half of them came through at most 0 "+
			"collections", grouped(int64(n)), grouped(int64(16*n)))
	}
	want := []string{legendText("the start", "at the JVM's end, 1.990 s"), described(0, 200),
		legendText("after gc:47 (young) at 0.471 s", "after gc:63 (young) at 0.631 s"),
		described(48, 64),
		legendText("after gc:99 (young) at 0.991 s", "after gc:103 (young) at 1.031 s"),
		described(100, 104),
		"2.8 %: 4,510 objects in or below matches", "2.8 %: 110 objects in or below matches", // C7, and C70 to C79
		"Recording demo.mallard",
		"Units objects include arrays; bytes are those on the heap, headers and alignment included",
		"Classes 200 of 400: half of them those that held most, half those of which most were born, by bytes; the " +
			"others are one row",
		"Spans of lifetimes begin and end with one in 4 of 200 points: what is in between is in them",
		"Losses none",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(page) > 2<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
}
