package view

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/export"
	"mallard/internal/export/pagetest"
	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// collected are two collections, the second with a cause that is HTML.
var collected = &profile.EventTable{
	Columns: []profile.EventColumn{{Name: "kind"}, {Name: "cause"}, {Name: "pause"}, {Name: "before"}, {Name: "after"}},
	Rows: []profile.EventRow{
		{At: 500 * time.Millisecond, Values: []any{"young", "G1 Evacuation Pause", 1500 * time.Microsecond, int64(5000),
			int64(2000)}},
		{At: 2500 * time.Millisecond, Values: []any{"full", "<img src=x onerror=alert(3)>", 200 * time.Millisecond,
			int64(9000), int64(3000)}},
	},
}

// served serves a recording while a test runs, whose page does what a script says, and gives its address.
func served(t *testing.T, recording []byte, script string) string {
	t.Helper()
	p, err := profile.Fold(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	page := func(within bool, write func(io.Writer) error) (*Page, error) {
		var text bytes.Buffer
		err := write(&text)
		with := text.Bytes()
		if script != "" && !within {
			with = pagetest.WithScript(with, script)
		}
		return &Page{with, export.PagePolicy(with, within)}, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	addresses, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- Serve(ctx, Serving{
			First: &Reading{Profile: p, Collections: collected, Open: func() (io.ReadCloser, error) {
				return io.NopCloser(bytes.NewReader(recording)), nil
			}},
			Main: func() (*Page, error) {
				return page(false, func(w io.Writer) error {
					return export.ServedPage(w, "demo.mallard", p, nil, true, [][2]string{{"other", "Other"}})
				})
			},
			Others: map[string]Other{"other": func(*profile.Profile, profile.Span) (*Page, error) {
				return page(true, func(w io.Writer) error {
					_, err := export.Flamegraph(w, "demo.mallard", p, profile.Filter{}, 0, nil, nil)
					return err
				})
			}},
			Find: func(file string) ([]string, string, bool) {
				return strings.Split(strings.Repeat("<script>alert(1)</script>\n", 30), "\n"), "src/" + file, true
			},
			Ready: func(address string) { addresses <- address },
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return <-addresses
}

// budget is how long a page has at most to ask for what it shows, in the browser's time, which stands still while an
// answer is on its way.
const budget = "--virtual-time-budget=60000"

// hostile is a recording whose names are HTML, with three snapshots.
var hostile = strings.NewReplacer(`Name="main"`, `Name="<img src=x onerror=alert(1)>"`, `Name="order"`,
	`Name="</script><script>alert(2)</script>"`, `Name="demo/Main"`, `Name="demo/Main" Source="Main.java"`).
	Replace(profiletest.Transactions)

// ready waits for the first graph.
const ready = `
const status = () => on("status").textContent;
const chosen = name => new URLSearchParams(location.hash.slice(1)).get(name);
await until("something", () => on("legend").children.length > 0 || document.querySelector("tbody tr"));
await until("time", () => !on("timeline").hidden);
`

// TestPage walks through the views as a reader does.
func TestPage(t *testing.T) {
	address := served(t, profiletest.MustEncode(t, hostile), ready+`
press("ArrowUp"); say("status");
press("ArrowUp"); say("status");
press("o"); await until("objects", () => chosen("unit") === "objects");
await until("a new graph", () => status() === "");
press("ArrowUp"); press("ArrowUp"); say("status");
press("Enter"); await until("zoom", () => chosen("path"));
said.push(String(chosen("path").length), String(on("out").disabled));
press("Escape"); await until("no zoom", () => !chosen("path"));
search("helper"); await until("a sum", () => on("found").textContent); say("found");
search("/(/"); said.push(on("search").getAttribute("aria-invalid")); search("");

const tab = name => document.querySelector("[data-view=" + name + "]").click();
const textOf = row => [...row.cells].map(cell => cell.textContent).join("|");
const cells = id => [...document.querySelectorAll("#" + id + " tbody tr")].map(textOf);
tab("table"); await until("rows", () => cells("rows").length > 0);
said.push(...cells("rows")); say("shown");
on("by").value = "site"; on("by").dispatchEvent(new Event("change"));
await until("sites", () => chosen("by") === "site" && cells("rows").some(row => row.includes(":15")));
said.push(...cells("rows"));
tab("threads"); await until("threads", () => cells("rows").some(row => row.includes("img")));
said.push(...cells("rows"));
tab("transactions"); await until("transactions", () => cells("rows").some(row => row.includes("item")));
said.push(...cells("rows"));

on("by").value = "method"; on("by").dispatchEvent(new Event("change"));
tab("table"); await until("methods", () => cells("rows").some(row => row.endsWith("helper")));
[...document.querySelectorAll("#rows button.link")].find(b => b.textContent === "demo.Main.helper").click();
await until("the sandwich", () => status().startsWith("demo.Main.helper")); say("status"); say("which");
press("ArrowUp"); say("status"); press("ArrowDown"); press("ArrowDown"); say("status");
press("ArrowUp"); press("s"); await until("source", () => cells("source").length > 0);
said.push(cells("source")[14], on("file").textContent, String(document.querySelectorAll("#source script").length));

tab("graph"); await until("the graph", () => chosen("view") === null && on("status").textContent === "");
on("from").value = 2; on("from").dispatchEvent(new Event("input"));
await until("a span", () => chosen("from") === "2"); say("span");
const point = (x, y) => {
  const edge = on("areas").getBoundingClientRect(), at = {clientX: edge.left + x, clientY: edge.top + y, bubbles: true};
  on("areas").dispatchEvent(new PointerEvent("pointermove", at));
  said.push(on("tip").textContent.replaceAll("\n", "; "));
};
const second = s => 8 + (on("areas").clientWidth - 16) * s / 3;
point(second(2.5) + 2, 180); point(second(0.5), 180); point(second(2.5), 60); point(second(2.7), 180);
said.push(on("drawn").textContent);
await until("less", () => { press("ArrowUp"); press("ArrowDown"); return !status().includes("1,244"); }); say("status");
on("filter-thread").value = "nobody"; on("filter-thread").dispatchEvent(new Event("change"));
await until("nothing", () => { press("ArrowUp"); return status().startsWith("everything · 0 objects"); });
on("unfilter").click(); on("whole").click();
await until("all", () => chosen("from") === null && chosen("thread") === null);
history.back(); await until("a step back", () => chosen("from") === "2");

tab("other"); await until("the page in it", () => on("frame").contentDocument?.getElementById("graph"));
said.push(on("frame").contentDocument.getElementById("status") ? "a page in it" : "none");
said.push(on("frame").contentWindow.location.search, String(on("timeline").hidden));
on("to").value = 2; on("whole").click();
await until("the page of all", () => on("frame").contentWindow.location.search === "");
said.push(String(document.querySelectorAll("img").length));
said.push([...document.querySelectorAll("[role=tab]")].map(t => t.getAttribute("aria-selected")).join());
`)
	got := pagetest.Browse(t, address, budget)
	want := []string{
		"everything · 1,244 objects, 100.0 % · 29,856 bytes, 100.0 %",
		"[item] · 1,000 objects, 80.4 % · 24,000 bytes, 80.4 %",
		"[item] · 1,000 objects, 80.4 % · 24,000 bytes, 80.4 %",
		"8", "false",
		"2.7 %: 33 objects in or below matches",
		"true",
		"1,211|29,064|97.3 %|1,244|29,856|100.0 %|demo.Main.run",
		"33|792|2.7 %|33|792|2.7 %|demo.Main.helper",
		"0|0|0.0 %|1,200|28,800|96.5 %|[item]",
		"0|0|0.0 %|240|5,760|19.3 %|[</script><script>alert(2)</script>]",
		"4 of 4 rows",
		"1,211|29,064|97.3 %|long[]|demo.Main.run(Main.java:5)",
		"33|792|2.7 %|long[]|demo.Main.helper(Main.java:15)",
		"1,244|29,856|100.0 %|1|<img src=x onerror=alert(1)>",
		"1,200|28,800|96.5 %||||item",
		"40|960|3.2 %||||</script><script>alert(2)</script>",
		"4|96|0.3 %||||(none)",
		"demo.Main.helper · 33 objects, 2.7 % · 792 bytes, 2.7 %",
		"callers above, callees below: demo.Main.helper",
		"demo.Main.run · 33 objects, 2.7 % · 792 bytes, 2.7 %",
		"new long[] · 33 objects, 2.7 % · 792 bytes, 2.7 %",
		"33|792|33|792|15|<script>alert(1)</script>",
		"demo/Main.java (src/demo/Main.java)",
		"0",
		"2.00 s to 3.00 s of 3.00 s; 1 collection, 200 ms paused",
		"full collection at 2.500 s; paused 200 ms; cause: <img src=x onerror=alert(3)>; " +
			"heap: 9,000 bytes before, 3,000 after",
		"young collection at 0.500 s; paused 1.5 ms; cause: G1 Evacuation Pause; " +
			"heap: 5,000 bytes before, 2,000 after",
		"1.00 s to 2.00 s; 111 objects; long[]: 111, 100.0 %",
		"2.00 s to 3.00 s; 1,133 objects; long[]: 1,133, 100.0 %; 1 collection, 200 ms paused",
		"long[]young collectionfull collection",
		"everything · 1,133 objects, 100.0 % · 27,192 bytes, 100.0 %",
		"a page in it", "?from=2", "false", "0",
		"false,false,false,false,false,false,true",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestPermalinks: an address shows what was chosen. Pictures are left in build/screenshots.
func TestPermalinks(t *testing.T) {
	recording := profiletest.MustEncode(t, hostile)
	pictures := filepath.Join("..", "..", "build", "screenshots")
	if err := os.MkdirAll(pictures, 0o777); err != nil {
		t.Fatal(err)
	}
	r := opened(t, recording)
	key := ""
	for i := range r.named {
		if r.Profile.Methods[i].Title() == "demo.Main.run" {
			key = r.key(name{ofMethod, r.named[i], -1})
		}
	}
	for fragment, want := range map[string][]string{
		"#unit=objects&path=" + key: {"demo.Main.run · 4 objects", "", "false", "#unit=objects&path", ""},
		"#view=sandwich&method=" + key: {"[item] · 1,200 objects", "", "true",
			"#view=sandwich&method=" + key, ""},
		"#view=table&by=line&sort=all": {"", "", "true", "#view=table&by=line&sort=all",
			"1,21129,06497.3 %1,21129,06497.3 %demo.Main.run(Main.java:5)"},
		"#reversed=1&downward=1&lines=1": {"everything · 1,244 objects", "", "true",
			"#reversed=1&downward=1&lines=1", ""},
		"#from=2&search=helper": {"everything · 1,133 objects", "2.9 %: 792 bytes in or below matches", "true",
			"#search=helper&from=2", ""},
		"#view=source&method=" + key: {"", "", "true", "#view=source&method=" + key, "1<script>alert(1)</script>"},
	} {
		address := served(t, recording, ready+`
await new Promise(done => setTimeout(done, 1000)); // of the time that stands still while an answer is on its way
press("ArrowUp"); said.push(status().split(",").slice(0, 2).join().split(" objects")[0] + (status() && " objects"));
say("found"); said.push(String(on("out").disabled), location.hash.replace(/path=[^&]*/, "path"));
said.push(document.querySelector("tbody tr")?.textContent ?? "");
`)
		got := pagetest.Browse(t, address+fragment, budget)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: -want +got:\n%s", fragment, d)
		}
		picture := "view-" + strings.NewReplacer("#", "", "=", "-", "&", "-", key, "run").Replace(fragment) + ".png"
		pagetest.Open(t, served(t, recording, "")+fragment, budget, "--screenshot="+filepath.Join(pictures, picture))
	}
}
