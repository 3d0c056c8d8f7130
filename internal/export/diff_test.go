package export

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/diff"
	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// differenceReport compares contexts: with other counts of HashMap.Node from main, and without what run makes.
func differenceReport(t *testing.T, by profile.By) *DiffReport {
	t.Helper()
	other := strings.NewReplacer("24:0:4 32:0:100", "24:0:4 32:0:150", "84:0:20", "84:0:0").
		Replace(profiletest.Contexts)
	r := &DiffReport{
		A: DiffSide{diff.Side{Recordings: []*profile.Profile{fold(t, profiletest.Contexts)}}, []string{"a.mallard"}},
		B: DiffSide{diff.Side{Recordings: []*profile.Profile{fold(t, other)}}, []string{"b.mallard"}},
	}
	r.Answer = diff.Compare(&r.A.Side, &r.B.Side, diff.Query{Query: profile.Query{By: by}, All: true})
	return r
}

// TestDiffPage looks at a difference in a browser.
func TestDiffPage(t *testing.T) {
	const script = `
press("ArrowUp"); say("status");
press("ArrowUp"); say("status");
press("ArrowRight"); say("status");
said.push(shade(-1), shade(0), shade(1), colour(view.root));
press("r"); press("ArrowUp"); press("ArrowUp"); say("status");
said.push(on("legend").textContent);
`
	for _, test := range []struct {
		by    profile.By
		share float64
		want  []string
	}{
		{profile.ByContext, 0, []string{
			"everything · 170 → 200 objects: +30, +17.6 % · 5,488 → 6,448 bytes: +960, +17.5 %",
			"demo.App.main · 113 → 163 objects: +50, +44.2 % · 3,664 → 5,264 bytes: +1,600, +43.7 %",
			"java.lang.Thread.run · 50 → 30 objects: -20, -40.0 % · 1,600 → 960 bytes: -640, -40.0 %",
		}},
		{profile.BySite, 20, []string{
			"everything · 170 → 200 objects: +30, +17.6 % · 5,488 → 6,448 bytes: +960, +17.5 %",
			"java.util.HashMap.newNode · 154 → 184 objects: +30, +19.5 % · 4,928 → 5,888 bytes: +960, +19.5 %",
			"new [omitted] · 16 → 16 objects: 0, 0.0 % · 560 → 560 bytes: 0, 0.0 %",
		}},
	} {
		var page bytes.Buffer
		if err := differenceReport(t, test.by).Page(&page, test.share); err != nil {
			t.Fatal(err)
		}
		// what the page declares is its own
		open := bytes.Replace(page.Bytes(), []byte("graph.focus();\n})();"),
			[]byte("graph.focus();\nObject.assign(window, {view, colour, shade});\n})();"), 1)
		got := browse(t, open, script)
		if len(got) < 4 {
			t.Fatalf("%q", got)
		}
		if diff := cmp.Diff(test.want, got[:3]); diff != "" {
			t.Errorf("%v: -want +got:\n%s", test.by, diff)
		}
		if got[3] != "rgb(70 130 235)" || got[4] != "rgb(228 229 226)" || got[5] != "rgb(235 80 60)" ||
			got[6] == got[4] || got[8] != "gonelessno changemorenew" {
			t.Errorf("%v: %q", test.by, got[3:])
		}
	}
}

// TestMean: whole numbers are whole, others have three digits or what there is of them.
func TestMean(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 7: "7", -7: "-7", -0.5: "-0.5", 1234567: "1,234,567", 1234.5: "1,235", 1e300: "1e+300",
		45.678: "45.7", 4.5678: "4.57", 0.25: "0.25", 0.0456789: "0.0457", 0.000123: "0.000123",
	} {
		if got := mean(v); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
}
