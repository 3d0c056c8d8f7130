package export

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/export/pagetest"
	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// chromium has a headless browser open a page, and returns what it prints.
func chromium(t *testing.T, page []byte, flags ...string) []byte {
	t.Helper()
	return pagetest.Open(t, written(t, page), flags...)
}

// browse opens a page and returns what script says.
func browse(t *testing.T, page []byte, script string) []string {
	t.Helper()
	return pagetest.Browse(t, written(t, pagetest.WithScript(page, script)))
}

// written gives the address of a page.
func written(t *testing.T, page []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, page, 0o666); err != nil {
		t.Fatal(err)
	}
	return "file://" + file
}

// TestFlamegraphOnScreen looks at a picture of the page: the colours of the
// packages where their boxes must be, the lowest row being 600 pixels from the top
// less the footer.
func TestFlamegraphOnScreen(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "picture.png")
	chromium(t, flamegraph(t, fold(t, profiletest.Contexts)), "--screenshot="+picture)
	file, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	pixels, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	// From the bottom up, a column of pixels under the widest stack: it is cut into
	// boxes by lines of another colour.
	var boxes []color.Color
	run, last := 0, color.Color(nil)
	for y := pixels.Bounds().Max.Y - 1; y >= 0; y-- {
		c := pixels.At(600, y)
		if c != last {
			run, last = 0, c
		}
		if run++; run == 15 && c != pixels.At(600, 200) {
			boxes = append(boxes, c)
		}
	}
	if len(boxes) != 5 { // everything, main, put, newNode, Node
		t.Fatalf("boxes %v", boxes)
	}
	if everything, main, put, node, class := boxes[0], boxes[1], boxes[2], boxes[3], boxes[4]; put != node ||
		main == put || class == put || everything == main {
		t.Errorf("boxes %v", boxes)
	}
}

func flamegraph(t *testing.T, p *profile.Profile) []byte {
	t.Helper()
	var page bytes.Buffer
	if _, err := Flamegraph(&page, "demo.mallard", p, profile.Filter{}, 0, nil, nil); err != nil {
		t.Fatal(err)
	}
	return page.Bytes()
}

func TestFlamegraph(t *testing.T) {
	got := browse(t, flamegraph(t, fold(t, profiletest.Contexts)), `
press("ArrowUp"); say("status");
press("ArrowUp"); say("status");
press("ArrowRight"); say("status");
press("Enter"); press("ArrowUp"); say("status");
press("Escape"); said.push(String(on("out").disabled));
mouse("click", 100, 2); say("status");
mouse("mousemove", 100, 1); say("tip");
press("b"); said.push(on("bytes").getAttribute("aria-checked"));
search("hashmap"); say("found");
search("/walk|main/"); say("found");
press("n"); say("status");
press("n"); say("status");
search("/(/"); said.push(on("search").getAttribute("aria-invalid"));
search("");
press("o"); press("r"); press("ArrowUp"); press("ArrowUp"); say("status");
press("ArrowUp"); say("status");
press("Enter"); press("ArrowUp"); say("status");
press("ArrowUp"); say("status");
said.push(on("legend").textContent);
said.push(String(painted() > 0.1));
said.push(String(performance.getEntriesByType("resource").length));
`)
	want := []string{
		"everything · 170 objects, 100.0 % · 5,488 bytes, 100.0 %",
		"demo.App.main · 113 objects, 66.5 % · 3,664 bytes, 66.8 % · 1 call",
		"java.lang.Thread.run · 50 objects, 29.4 % · 1,600 bytes, 29.2 % · 2 calls",
		"demo.App.run · 50 objects, 29.4 %, 100.0 % of its parent" +
			" · 1,600 bytes, 29.2 %, 100.0 % of its parent · 2 calls",
		"true",
		"java.util.HashMap.put · 104 objects, 61.2 %, 92.0 % of its parent" +
			" · 3,328 bytes, 60.6 %, 90.8 % of its parent · 104 calls",
		"demo.App.main\n113 objects, 66.5 %\n3,664 bytes, 66.8 %\n1 call",
		"true",
		"93.9 %: 5,152 bytes in or below matches",
		"66.8 %: 3,664 bytes in or below matches",
		"demo.App.main · 113 objects, 66.5 % · 3,664 bytes, 66.8 % · 1 call",
		"demo.App.main · 113 objects, 66.5 % · 3,664 bytes, 66.8 % · 1 call",
		"true",
		"new java.util.HashMap$Node · 161 objects, 94.7 % · 5,152 bytes, 93.9 %",
		"java.util.HashMap.newNode · 154 objects, 90.6 %, 95.7 % of its parent" +
			" · 4,928 bytes, 89.8 %, 95.7 % of its parent",
		"java.util.HashMap.put · 154 objects, 90.6 %, 100.0 % of its parent" +
			" · 4,928 bytes, 89.8 %, 100.0 % of its parent",
		"demo.App.main · 104 objects, 61.2 %, 67.5 % of its parent · 3,328 bytes, 60.6 %, 67.5 % of its parent",
		"java.utildemojava.langjdk.internal.reflect",
		"true",
		"0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestFlamegraphOfSites draws a recording without contexts, with names that are
// hostile to a page.
func TestFlamegraphOfSites(t *testing.T) {
	p := demo(t)
	p.Process.Command = []string{"java", "</title><script>alert(1)</script>"}
	p.Sites[0].Type = "</script><b>"
	page := flamegraph(t, p)
	got := browse(t, page, `
said.push(document.title);
press("ArrowUp"); press("ArrowUp"); say("status");
search("<\/script>"); say("found");
said.push(on("data").textContent.length > 100 ? "data" : "no data", String(document.querySelectorAll("b").length));
`)
	want := []string{
		"java </title><script>alert(1)</script>",
		"demo.Main.main · 1,981 objects, 55.7 % · 55,384 bytes, 51.5 %",
		fmt.Sprintf("0.0 %%: %d objects in or below matches", p.Sites[0].Amount.Objects),
		"data", "0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestLargeFlamegraph draws 100,000 contexts.
func TestLargeFlamegraph(t *testing.T) {
	var recording bytes.Buffer
	if err := (profiletest.Large{Contexts: 100000, Threads: 20, Rounds: 1}).Write(&recording); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Fold(&recording)
	if err != nil {
		t.Fatal(err)
	}
	page := flamegraph(t, p)
	if len(page) > 5<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	got := browse(t, page, `
const begin = performance.now();
press("b"); press("r"); press("r"); search("class7");
press("ArrowUp"); press("ArrowUp"); press("Enter"); press("Escape"); press("Escape");
const g = on("graph");
const atEnd = g.scrollHeight > g.clientHeight && g.scrollTop + g.clientHeight > g.scrollHeight - 2;
said.push(String(painted() > 0.3), String(atEnd), String(Math.round(performance.now() - begin)));
`)
	if len(got) != 3 || got[0] != "true" || got[1] != "true" {
		t.Fatalf("said %q", got)
	}
	t.Logf("eight changes of the view took %s ms, the page has %d bytes", got[2], len(page))
}

// TestFoldedFlamegraph folds what is not the user's code, and opens it by a click.
func TestFoldedFlamegraph(t *testing.T) {
	var page bytes.Buffer
	mine := &profile.Mine{Patterns: "demo.*"}
	if _, err := Flamegraph(&page, "demo.mallard", fold(t, profiletest.Contexts), profile.Filter{}, 0, mine,
		nil); err != nil {
		t.Fatal(err)
	}
	got := browse(t, page.Bytes(), `
said.push(on("fold").getAttribute("aria-pressed"));
press("ArrowUp"); press("ArrowUp"); say("status");
press("ArrowUp"); say("status");
press("ArrowUp"); say("status");
press("ArrowDown"); press("Enter"); say("status");
press("ArrowUp"); say("status");
press("ArrowUp"); say("status");
press("f"); said.push(on("fold").getAttribute("aria-pressed"));
press("ArrowUp"); press("ArrowUp"); press("ArrowUp"); press("ArrowUp"); say("status");
`)
	want := []string{
		"true",
		"demo.App.main · 113 objects, 66.5 % · 3,664 bytes, 66.8 % · 1 call",
		"… other code · 104 objects, 61.2 %, 92.0 % of its parent" +
			" · 3,328 bytes, 60.6 %, 90.8 % of its parent · 104 calls",
		"new java.util.HashMap$Node · 104 objects, 61.2 %, 100.0 % of its parent" +
			" · 3,328 bytes, 60.6 %, 100.0 % of its parent",
		"demo.App.main · 113 objects, 66.5 % · 3,664 bytes, 66.8 % · 1 call",
		"java.util.HashMap.put · 104 objects, 61.2 %, 92.0 % of its parent" +
			" · 3,328 bytes, 60.6 %, 90.8 % of its parent · 104 calls",
		"java.util.HashMap.newNode · 104 objects, 61.2 %, 100.0 % of its parent" +
			" · 3,328 bytes, 60.6 %, 100.0 % of its parent · 104 calls",
		"false",
		"java.util.HashMap.newNode · 104 objects, 61.2 %, 100.0 % of its parent" +
			" · 3,328 bytes, 60.6 %, 100.0 % of its parent · 104 calls",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
