package export

import (
	"strings"
	"testing"
	"time"

	"mallard/internal/profile"
)

// eventTable is made up: two events, of which the second is not known in all parts.
func eventTable() *profile.EventTable {
	return &profile.EventTable{
		Noun: "thing",
		Columns: []profile.EventColumn{
			{Name: "number", Title: "Number", Unit: profile.Number}, {Name: "kind", Title: "Kind", Unit: profile.Text},
			{Name: "pause", Title: "Pause", Unit: profile.Seconds}, {Name: "after", Title: "After",
				Unit: profile.Bytes},
		},
		Rows: []profile.EventRow{
			{At: time.Second, Name: "first", Values: []any{int64(1000), "big \"one\"", 1500 * time.Microsecond,
				int64(1 << 20)}},
			{At: 3 * time.Second, Name: "second", Values: []any{int64(1001), nil, nil, nil}},
		},
		Plots: []profile.Plot{{Title: "a <plot>", Unit: profile.Seconds, Bars: true, Lines: []profile.PlotLine{
			{Name: "line", Points: []profile.PlotPoint{{At: time.Second, Value: 0.5},
				{At: 2 * time.Second, Value: 0.25}}},
		}}},
	}
}

// TestEvents prints what happened in all forms.
func TestEvents(t *testing.T) {
	r := &EventReport{File: "x.mallard", By: "things", Profile: &profile.Profile{}, Table: eventTable()}
	for name, test := range map[string]struct {
		write func(w *strings.Builder) error
		want  []string
	}{
		"text": {func(w *strings.Builder) error { return r.Text(w) }, []string{
			"2 things, sorted by time", "Number  Kind          Pause      After\n  1000  big \"one\"  0.001500 " +
				" 1,048,576\n  1001\n",
		}},
		"csv": {func(w *strings.Builder) error { return r.CSV(w) }, []string{
			"number,kind,pause,after\n1000,\"big \"\"one\"\"\",0.001500,1048576\n1001,,,\n",
		}},
		"json": {func(w *strings.Builder) error { return r.JSON(w) }, []string{
			`{"number":1000,"kind":"big \"one\"","pause":0.0015,"after":1048576}`,
			`{"number":1001,"kind":null,"pause":null,"after":null}`,
		}},
	} {
		var b strings.Builder
		if err := test.write(&b); err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s has no %q:\n%s", name, want, b.String())
			}
		}
	}
}

// TestPlots draws bars whose tops and places are the values and the instants.
func TestPlots(t *testing.T) {
	got := plots([]*profile.EventTable{eventTable(), {}}, 4*time.Second)
	for _, want := range []string{"a &lt;plot&gt;, 0 to 500.000 ms, in 4.0 s", `d="M250.0 99V1.0M500.0 99V50.0"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := plots(nil, time.Second); got != "" {
		t.Errorf("nothing happened, and there is %s", got)
	}
}

// TestMeanwhile has rows over time name what was between their ends.
func TestMeanwhile(t *testing.T) {
	r := &OverTimeReport{
		Timeline: &profile.Timeline{Intervals: []profile.Interval{{To: 2 * time.Second},
			{From: 2 * time.Second, To: 3 * time.Second}}},
		Events: []*profile.EventTable{eventTable()},
	}
	for i, want := range []string{"first", "second"} {
		if got := strings.Join(r.eventNames(r.Timeline.Intervals[i]), ","); got != want {
			t.Errorf("interval %d: %q, want %q", i, got, want)
		}
	}
}
