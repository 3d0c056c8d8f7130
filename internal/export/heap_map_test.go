package export

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

// mapReader says what a page's map is of, and what is on it.
const mapReader = heapReader + `
const map = () => {
  said.push(on("when").textContent);
  document.querySelectorAll(".space").forEach(row => {
    said.push(row.firstChild.textContent + ": " + row.lastChild.textContent);
    row.querySelectorAll(".bar i").forEach(box => said.push(box.lines.join(" | ")));
  });
  document.querySelectorAll("#regions i").forEach(box => said.push(box.lines.join(" | ")));
};
const moment = n => { on("moment").value = n; on("moment").dispatchEvent(new Event("input")); };
`

// mapTexts is what mapReader says of the map of a moment, as Held and Regions have it.
func mapTexts(h *heap.History, moment int, others string) []string {
	texts := []string{"The heap " + momentText(h, moment) + ". Colours are those of classes above." + others}
	q := heap.Query{By: []heap.By{heap.ByClass, heap.BySpace}, Sort: profile.SortBytes}
	rows := h.Held(moment, q).Rows
	for space := range heap.Space(heap.Spaces) {
		sum, unused, classes := heap.Amount{}, "", []string(nil)
		for _, r := range rows {
			switch {
			case r.Space != space:
			case r.Class == heap.Unused:
				unused = fmt.Sprintf(", %s unused", grouped(r.Bytes))
			default:
				sum = heap.Sum(sum, r.Amount)
				classes = append(classes, fmt.Sprintf("%s | in %s: %s objects, %s bytes", h.Title(r.Class), space,
					grouped(r.Objects), grouped(r.Bytes)))
			}
		}
		texts = append(texts, fmt.Sprintf("%s: %s objects, %s bytes%s", space, grouped(sum.Objects), grouped(sum.Bytes),
			unused))
		texts = append(texts, classes...)
	}
	for _, r := range h.Regions(moment) {
		text := fmt.Sprintf("region %s, %s | %s objects, %s bytes", grouped(int64(r.Number)), r.Space,
			grouped(r.Held.Objects), grouped(r.Held.Bytes))
		if r.Unused > 0 {
			text += fmt.Sprintf(" | %s bytes unused between objects", grouped(r.Unused))
		}
		if r.Largest != heap.Unused {
			text += fmt.Sprintf(" | most is %s: %s bytes, %s %%", h.Title(r.Largest), grouped(r.Bytes),
				percent(r.Bytes, r.Held.Bytes))
		}
		texts = append(texts, text)
	}
	return texts
}

// TestHeapPageMaps: the map is that of the moment that was asked for, until the reader chooses another one: with its
// own slider, by a click on the timeline, by dragging there, or with a handle; All goes back.
func TestHeapPageMaps(t *testing.T) {
	p, h := openHeap(t, heaptest.Demo())
	var page strings.Builder
	q := heap.Query{By: []heap.By{heap.ByClass}, Sort: profile.SortBytes}
	if err := HeapPage(&page, "demo.mallard", p, h, 1, q); err != nil {
		t.Fatal(err)
	}
	got := browse(t, []byte(page.String()), mapReader+`
const areas = on("areas").getContext("2d");
let mark = "none"; // seconds at which the timeline has its mark of the map
const [clear, fill] = ["clearRect", "fillRect"].map(name => areas[name].bind(areas));
areas.clearRect = (...all) => { mark = "none"; clear(...all); };
areas.fillRect = (x, y, width, height) => {
  if (width === 1) mark = ((x + 0.5 - 8) / wide * 5).toFixed(2);
  fill(x, y, width, height);
};
const marked = () => said.push(mark);
press("b"); marked(); tab("map"); map(); marked();
for (const n of [3, 0, 4, 1, 2]) { moment(n); map(); }
marked();
drag(second(1), second(1)); map();
drag(second(1.1), second(4)); map(); said.push(on("from").value + " to " + on("to").value);
on("to").value = 3; on("to").dispatchEvent(new Event("input")); map(); marked();
drag(second(0), second(0)); map();
on("whole").click(); map();
tab("changes"); marked(); drag(second(3), second(3)); marked(); tab("map"); map(); marked();
`)
	want := []string{"none"}
	add := func(moment int) { want = append(want, mapTexts(h, moment, "")...) }
	add(1)
	want = append(want, "2.01")
	for _, moment := range []int{3, 0, 4, 1, 2} {
		add(moment)
	}
	want = append(want, "3.02")
	add(0)
	add(3)
	want = append(want, "1 to 4")
	add(2)
	want = append(want, "3.02")
	want = append(want, mapTexts(h, 0, " The moment that was chosen, the start, has no map of its own: this is the "+
		"nearest.")...)
	add(1)
	want = append(want, "none", "none")
	add(2)
	want = append(want, "3.02")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestManyHeapPageMaps has so much change that there is no room for all maps.
func TestManyHeapPageMaps(t *testing.T) {
	const pauses, regions = 301, 400
	e := &heaptest.Events{}
	for i := range uint64(pauses) {
		for k := range uint64(regions) {
			e.Rows(heaptest.Place{Space: abi.HeapOld, Region: uint32(k)}, heaptest.Row{Class: "demo/Old", Objects: 1,
				Bytes: 16 * (1 + i + k)})
		}
		e.Walk(heaptest.Walk{Collection: i, Start: i * 1e7, Last: i == pauses-1})
		if i < pauses-1 {
			e.Finish(i*1e7+1e6, abi.HeapNothing)
		}
	}
	p, h := openHeap(t, e)
	page := heapPageOf(t, p, h)
	got := browse(t, page, mapReader+`
tab("map"); moment(20); map();
on("to").value = 82; on("to").dispatchEvent(new Event("input")); map();
document.querySelectorAll("li").forEach(item => said.push(item.textContent));
`)
	want := append(mapTexts(h, 4*21-1, ""), mapTexts(h, 4*20-1, " The moment that was chosen, after gc:81 (nothing) "+
		"at 0.811 s, has no map of its own: this is the nearest.")...)
	want = append(want, "Recording demo.mallard",
		"Units objects include arrays; bytes are those on the heap, headers and alignment included",
		"Maps 76 for 301 points: one for each 4, for the last one, and for the moment that was asked for",
		"Losses none")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(page) > 2<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	t.Logf("%d bytes", len(page))
}

// TestHeapPageLifetimes: where single objects were recorded the page has what --lifetimes has of them.
func TestHeapPageLifetimes(t *testing.T) {
	for _, test := range []struct {
		events *heaptest.Events
		want   []string
	}{
		{heaptest.Singly(), []string{"demo.Entry · 4 objects born, 50.0 % · 128 bytes born, 59.3 % · died in the " +
			"first collection that came to them: 0.0 % of the objects, 0.0 % of the bytes · half of them came " +
			"through at most 2 collections",
			"Recording demo.mallard",
			"Units objects include arrays; bytes are those on the heap, headers and alignment included",
			"Lifetimes of single objects, 6 objects, 168 bytes, that a collection has come to",
			"Unknown of lifetimes the birth of 1 object, which are left out; the end of 1 object", "Losses none"}},
		{heaptest.Doubtful(), []string{"demo.Entry · 5 objects born, 83.3 % · 160 bytes born, 90.9 % · died in the " +
			"first collection that came to them: 0.0 % of the objects, 0.0 % of the bytes · half of them came " +
			"through 0 collections, perhaps more",
			"Recording demo.mallard",
			"Units objects include arrays; bytes are those on the heap, headers and alignment included",
			"Lifetimes of single objects, 6 objects, 176 bytes, that a collection has come to",
			"Unknown of lifetimes the birth of 1 object, which are left out; the end of 5 objects, many of them " +
				"dead: shares that died in the first collection are too low",
			"Losses objects (2): single objects have the hash of another one: none of them is known any more"}},
	} {
		p, h := openHeap(t, test.events)
		got := browse(t, heapPageOf(t, p, h), `
document.querySelector("[data-panel=graph]").click();
search("entry"); press("n"); say("status");
document.querySelectorAll("li").forEach(item => said.push(item.textContent));
`)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}
