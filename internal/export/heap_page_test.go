package export

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// openHeap reads a recording that has events of a heap, and other records.
func openHeap(t *testing.T, events *heaptest.Events, others ...trace.Record) (*profile.Profile, *heap.History) {
	t.Helper()
	recording, err := heaptest.Recording(events, others...)
	if err != nil {
		t.Fatal(err)
	}
	of := profile.Events{heap.Observer: nil}
	p, err := profile.Fold(bytes.NewReader(recording), of)
	if err != nil {
		t.Fatal(err)
	}
	return p, heap.NewHistory(of[heap.Observer])
}

// heapPageOf writes the page for the last moment.
func heapPageOf(t *testing.T, p *profile.Profile, h *heap.History, by ...heap.By) []byte {
	t.Helper()
	return heapPageFor(t, p, h, profile.Span{}, by...)
}

// heapPageFor writes the page with a span chosen.
func heapPageFor(t *testing.T, p *profile.Profile, h *heap.History, span profile.Span, by ...heap.By) []byte {
	t.Helper()
	q := heap.Query{By: append([]heap.By{heap.ByClass}, by...), Sort: profile.SortBytes, Span: span}
	if len(by) > 0 {
		q.Counts = heap.NewCounts(h, p)
	}
	var page bytes.Buffer
	if err := HeapPage(&page, "demo.mallard", p, h, len(h.Pauses)-1, q); err != nil {
		t.Fatal(err)
	}
	return page.Bytes()
}

// heapReader is what a reader does with the page besides: looks at the table, drags over the timeline, points at it.
const heapReader = `
const rows = n => [...document.querySelectorAll("#changes tr")].slice(0, n).forEach(row =>
  said.push([...row.children].map(cell => cell.textContent).join(" | ")));
const tab = name => document.querySelector("[data-panel=" + name + "]").click();
const pointer = (kind, x) => {
  const edge = on("areas").getBoundingClientRect();
  on("areas").dispatchEvent(new PointerEvent(kind, {clientX: edge.left + x, clientY: edge.top + 50, bubbles: true}));
};
const drag = (from, to) => { pointer("pointerdown", from); pointer("pointermove", to); pointer("pointerup", to); };
const pointAt = box => { box.dispatchEvent(new MouseEvent("mousemove", {bubbles: true})); say("tip"); };
const colours = x => { // how many a column of the timeline has, from the top of what was held down
  const ratio = devicePixelRatio, image = on("areas").getContext("2d");
  const column = image.getImageData(x * ratio, 14 * ratio, 1, 150 * ratio).data;
  const found = new Map();
  for (let i = 0; i < column.length; i += 4) {
    const pixel = column.slice(i, i + 4).join();
    if (column[i + 3] > 0) found.set(pixel, (found.get(pixel) || 0) + 1);
  }
  return [...found.values()].filter(n => n > 3).length;
};
const wide = on("areas").clientWidth - 16; // for 5 seconds
const second = s => 8 + wide * s / 5;
`

// TestHeapPageSpan: a page shows at first what collections had left by the ends of a span.
func TestHeapPageSpan(t *testing.T) {
	p, h := openHeap(t, heaptest.Demo())
	start, end := "the start: 0 bytes held. ", "at the JVM's end, 5.000 s: 2,680. "
	first, second := "after gc:0 (young) at 1.010 s", "after gc:1 (young) at 2.010 s"
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	for span, want := range map[profile.Span]string{
		{From: seconds(1.5), To: seconds(2.5)}: first + ": 1,408 bytes held. " + second +
			": 2,744. Collections in between: 1 young.",
		{To: seconds(2.5)}:                     start + second + ": 2,744. Collections in between: 2 young.",
		{From: seconds(0.1), To: seconds(0.2)}: start + first + ": 1,408. Collections in between: 1 young.",
		{From: seconds(2.010), To: seconds(500)}: second + ": 2,744 bytes held. " + end +
			"Collections in between: 1 full.",
		{From: seconds(100), To: seconds(200)}: start + end + "Collections in between: 2 young, 1 full.",
	} {
		got := browse(t, heapPageFor(t, p, h, span), `press("b"); say("span");`)
		if len(got) != 1 || got[0] != want {
			t.Errorf("%v: %q, want %q", span, got, want)
		}
	}
}

// TestHeapPage does with a page what a reader would.
func TestHeapPage(t *testing.T) {
	p, h := openHeap(t, heaptest.Demo(), heaptest.DemoSites()...)
	got := browse(t, heapPageOf(t, p, h, heap.BySite), heapReader+`
say("span");
press("b"); rows(4);
drag(second(1), second(3.1)); say("span"); rows(4);
const span = () => said.push(on("from").value + " to " + on("to").value);
on("from").value = 3; on("from").dispatchEvent(new Event("input")); span();
drag(second(4.4), second(4.4)); span();
press("o"); say("span");
[...document.querySelectorAll("#changes th button")][1].click(); rows(3);
search("string"); rows(3); search("main.run("); rows(3); search("");
pointer("pointermove", second(2)); say("tip");
say("drawn"); said.push(colours(second(1.6)) + " colours");
tab("graph");
press("ArrowUp"); press("ArrowUp"); say("status");
press("ArrowUp"); say("status");
press("ArrowUp"); say("status");
say("legend"); said.push(String(painted() > 0.05));
tab("map"); said.push(on("when").textContent);
document.querySelectorAll(".space").forEach(row =>
  said.push(row.firstChild.textContent + ": " + row.lastChild.textContent));
pointAt(document.querySelector(".bar i")); pointAt(document.querySelector("#regions i"));
said.push(String(performance.getEntriesByType("resource").length));
`)
	want := []string{
		"the start: 0 bytes held. at the JVM's end, 5.000 s: 2,680. Collections in between: 2 young, 1 full.",
		"Held before | Born | Died | Held after | Difference | Class | Site",
		"0 | 1,138,464 | 1,135,784 | 2,680 | +2,680 | all | ",
		"0 | 2,240 | 0 | 2,240 | +2,240 | demo.Entry | demo.Cache.<init>(Cache.java:11)",
		"0 | 84,192 | 83,856 | 336 | +336 | demo.Point | demo.Main.run(Main.java:10)",
		"after gc:0 (young) at 1.010 s: 1,408 bytes held. after gc:2 (full) at 3.020 s: 1,848. " +
			"Collections in between: 1 young, 1 full.",
		"Held before | Born | Died | Held after | Difference | Class | Site",
		"1,408 | 1,110,192 | 1,109,752 | 1,848 | +440 | all | ",
		"0 | 1,600 | 0 | 1,600 | +1,600 | demo.Entry | demo.Cache.<init>(Cache.java:11)",
		"240 | 60,000 | 60,096 | 144 | -96 | demo.Point | demo.Main.run(Main.java:10)",
		"2 to 3", "0 to 5",
		"the start: 0 objects held. at the JVM's end, 5.000 s: 85. Collections in between: 2 young, 1 full.",
		"Held before | Born | Died | Held after | Difference | Class | Site",
		"0 | 3,689 | 3,604 | 85 | +85 | all | ",
		"0 | 3,508 | 3,494 | 14 | +14 | demo.Point | demo.Main.run(Main.java:10)",
		"Held before | Born | Died | Held after | Difference | Class | Site",
		"0 | 3,689 | 3,604 | 85 | +85 | all | ",
		"0 | 100 | 100 | 0 | 0 | java.lang.String | (one of 2 sites)",
		"Held before | Born | Died | Held after | Difference | Class | Site",
		"0 | 3,689 | 3,604 | 85 | +85 | all | ",
		"0 | 3,508 | 3,494 | 14 | +14 | demo.Point | demo.Main.run(Main.java:10)",
		"after gc:1 (young) at 2.010 s\nheld: 91 objects, 2,744 bytes\n" +
			"at the start of the pause, or of the fullest since the point before: 1,099,648 bytes used\n" +
			"collections since the point before: 1 young\n" +
			"demo.Entry, demo.Cache.<init>(Cache.java:11): 50 objects, 54.9 %\n" +
			"java.lang.String, (one of 2 sites): 30 objects, 33.0 %\n" +
			"demo.Point, demo.Main.run(Main.java:10): 9 objects, 9.9 %\n" +
			"int[], (1 site, and what is not counted): 2 objects, 2.2 %",
		"demo.Entryjava.lang.Stringdemo.Pointint[]othersyoung collectionfull collection", "3 colours",
		"demo · 3,578 objects born, 97.0 % · 86,432 bytes born, 7.6 % · died in the first collection that came to " +
			"them: 98.2 % of the objects, 97.7 % of the bytes",
		"demo.Point · 3,508 objects born, 95.1 % · 84,192 bytes born, 7.4 % · died in the first collection that came " +
			"to them: 99.6 % of the objects, 99.6 % of the bytes · half of them came through at most 0 collections",
		"demo.Main.run(Main.java:10) · 3,508 objects born, 95.1 % · 84,192 bytes born, 7.4 % · died in the first " +
			"collection that came to them: 99.6 % of the objects, 99.6 % of the bytes · half of them came through at " +
			"most 0 collections",
		"Born between the start and at the JVM's end, 5.000 s." +
			"Died in the first collection:0 %25 %50 %75 %100 %no collection came",
		"true",
		"The heap after gc:3 (nothing) at 4.001 s. Colours are those of classes above.", // the last click
		"eden: 20 objects, 640 bytes", "survivor: 0 objects, 0 bytes", "old: 57 objects, 1,848 bytes",
		"humongous: 0 objects, 0 bytes",
		"demo.Entry, demo.Cache.<init>(Cache.java:11)\nin eden: 20 objects, 640 bytes",
		"region 5, old\n57 objects, 1,848 bytes\nmost is demo.Entry: 1,600 bytes, 86.6 %",
		"0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestHostileHeapPage has names that are hostile to a page, and walks that do not add up.
func TestHostileHeapPage(t *testing.T) {
	const evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>{{data}}"
	e := heaptest.Odd()
	e.Moved(1, heaptest.Row{Class: evil, Objects: 1 << 40, Bytes: 1 << 43},
		heaptest.Row{Class: strings.Repeat("x/", 5000) + "Long", Objects: 1, Bytes: 16})
	e.Born(heaptest.Row{Class: "[" + evil, Objects: 5, Bytes: 80})
	e.Finish(1.5e9, 2)
	e.Walk(heaptest.Walk{Collection: 5, Start: 0.5e9})
	e.Finish(1<<62, 1, 1, 2, 3)
	e.Rows(heaptest.Place{Space: 3, Region: 1<<32 - 1}, heaptest.Row{Class: evil, Objects: 1, Bytes: 8000})
	e.Walk(heaptest.Walk{Collection: 6, Start: 1 << 62})
	site := heaptest.Site{Class: "demo/<b>Main</b>", Method: "<b>", Type: evil, Size: 16, Objects: 1 << 41}
	p, h := openHeap(t, e, heaptest.Sites(site)...)
	p.Process.Command = []string{"java", "</title><script>alert(1)</script>"}
	got := browse(t, heapPageOf(t, p, h, heap.BySite), heapReader+`
said.push(document.title);
tab("graph"); press("o"); press("b"); press("ArrowUp"); press("ArrowUp"); tab("map"); tab("changes");
said.push(String(document.querySelectorAll("img, b, header script").length));
said.push(String(document.querySelectorAll("#changes td").length > 20));
said.push(String(/events of the heap are missing/.test(document.querySelector("ul").textContent)));
said.push(String(document.documentElement.scrollWidth <= innerWidth));
`)
	want := []string{"java </title><script>alert(1)</script>", "0", "true", "true", "true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestLargeHeapPage draws 10,000 collections of 100,000 classes, each with a site.
func TestLargeHeapPage(t *testing.T) {
	const classes = 100_000
	events := heaptest.Large(10_000, classes, 50)
	var sites []heaptest.Site
	for i := range classes {
		name := fmt.Sprintf("org/example/program%d/Class%d", i%97, i)
		sites = append(sites, heaptest.Site{Class: name, Method: "make", Type: name, Size: 24, Objects: 1 << 40})
	}
	p, h := openHeap(t, events, heaptest.Sites(sites...)...)
	began := time.Now()
	page := heapPageOf(t, p, h, heap.BySite)
	took := time.Since(began)
	if len(page) > 5<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	got := browse(t, page, heapReader+`
const begin = performance.now();
press("o"); press("b"); drag(100, 500); search("class7"); search(""); tab("graph"); press("ArrowUp"); press("ArrowUp");
press("Enter"); press("Escape"); tab("map"); tab("changes");
const end = performance.now();
tab("map");
const draw = performance.now();
drag(1000, 1000); drag(100, 100); drag(100, 800); pointer("pointerdown", 300); pointer("pointermove", 500);
pointer("pointermove", 502); pointer("pointerup", 502);
const drew = performance.now();
on("moment").value = 499; on("moment").dispatchEvent(new Event("input"));
const text = on("when").textContent;
tab("graph");
said.push(String(painted() > 0.03), String(document.querySelectorAll("#changes tr").length),
  String(document.querySelectorAll("#regions i").length), String(Math.round(end - begin)), String(Math.round(begin)),
  String(Math.round(drew - draw)), text);
document.querySelectorAll("li").forEach(item => said.push(item.textContent));
`)
	if len(got) < 7 || got[0] != "true" {
		t.Fatalf("said %q", got)
	}
	if want := "The heap after gc:4999 (young) at 49.991 s. Colours are those of classes above."; got[6] != want {
		t.Errorf("the map is of: %s", got[6])
	}
	rows, _ := strconv.Atoi(got[1])
	if rows < 100 || rows > heap.MostClasses+3 || got[2] != strconv.Itoa(heap.MostRegions) {
		t.Errorf("%s rows, %s regions", got[1], got[2])
	}
	want := []string{
		"Recording demo.mallard",
		"Units objects include arrays; bytes are those on the heap, headers and alignment included",
		"Time has 1,000 points for 10,000 pauses: each stands for up to 10, and is what the last of them has left",
		"Classes 200 of 100,000: half of them those that held most, half those of which most were born, by bytes; " +
			"the others are one row",
		"Lifetimes are of the 2,000 classes of which most were born; the others are one box in their package, " +
			"in the 500 packages where these are most",
		"Regions 2,048 on a map: those in which most is used; up to 952 are left out",
		"Spans of lifetimes begin and end with one in 8 of 1,000 points: what is in between is in them",
		"Losses none",
	}
	if diff := cmp.Diff(want, got[7:]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	t.Logf("written in %v, %d bytes; drawn after %s ms; 12 changes of the view took %s ms, 5 of the map %s",
		took, len(page), got[4], got[3], got[5])
}
