package metrics

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
	"mallard/internal/trace"
)

// scrape gives the values of series by their names and labels.
func scrape(t *testing.T, m *Metrics) map[string]float64 {
	t.Helper()
	recorder := httptest.NewRecorder()
	m.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(recorder.Body)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for name, f := range families {
		for _, series := range f.Metric {
			key := name
			for _, label := range series.Label {
				key += " " + label.GetName() + "=" + label.GetValue()
			}
			values[key] = series.GetCounter().GetValue() + series.GetGauge().GetValue()
		}
	}
	return values
}

// sumOf adds up the series of a family.
func sumOf(values map[string]float64, name string) (sum float64, series int) {
	for key, v := range values {
		if strings.HasPrefix(key, name+" ") {
			sum += v
			series++
		}
	}
	return sum, series
}

func fold(t *testing.T, text string) *profile.Profile {
	t.Helper()
	p, err := profile.Fold(bytes.NewReader(profiletest.MustEncode(t, text)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSums: packages, classes and transactions of a program add up to its total.
func TestSums(t *testing.T) {
	m, p := New(2), fold(t, profiletest.Transactions)
	m.Add("a", p, nil)
	m.Add("b", p, nil)
	got := scrape(t, m)
	for _, of := range []string{"", "package_", "class_", "transaction_"} {
		objects, _ := sumOf(got, "mallard_"+of+"allocated_objects_total")
		bytes, _ := sumOf(got, "mallard_"+of+"allocated_bytes_total")
		if objects != float64(2*p.Total.Objects) || bytes != float64(2*p.Total.Bytes) {
			t.Errorf("%s: %v objects, %v bytes of %+v", of, objects, bytes, p.Total)
		}
	}
	if n := got["mallard_package_allocated_bytes_total package=demo program=demo.Main"]; n != float64(2*p.Total.Bytes) {
		t.Errorf("%v: %v", n, got)
	}
}

// TestBounds: there are so many series at most, whatever comes, and none goes down.
func TestBounds(t *testing.T) {
	f := newFamily(10)
	var total profile.Amount
	for round := range 100 {
		amounts := map[string]profile.Amount{}
		for k := range 50 {
			a := profile.Amount{Objects: int64(k%7) - 1, Bytes: int64(k * round)}
			total.Add(a)
			amounts[fmt.Sprint("class ", round*7+k)] = a
		}
		before := map[string]profile.Amount{}
		for name, s := range f.series {
			before[name] = s.shown
		}
		f.add(amounts)
		for name, s := range f.series {
			if s.shown.Objects < before[name].Objects || s.shown.Bytes < before[name].Bytes {
				t.Fatalf("%s goes down", name)
			}
		}
	}
	var sum profile.Amount
	for _, s := range f.series {
		sum.Add(s.actual)
	}
	if len(f.series) > 11 || sum != total {
		t.Errorf("%d series, %+v of %+v", len(f.series), sum, total)
	}
}

// TestCollections: they are counted by kind, and losses of the same recording are not added up.
func TestCollections(t *testing.T) {
	m, p := New(10), fold(t, profiletest.Transactions)
	p.Losses = []trace.Loss{{Kind: "blocks", Count: 3}, {Kind: "live-frames"}}
	table := &profile.EventTable{Columns: []profile.EventColumn{{Name: "kind"}, {Name: "pause"}},
		Rows: []profile.EventRow{{Values: []any{"young", time.Second}}, {Values: []any{"young", time.Second / 2}},
			{Values: []any{"concurrent", nil}}}}
	m.Add("a", p, table)
	m.Add("a", p, table)
	got := scrape(t, m)
	for key, want := range map[string]float64{
		"mallard_collections_total kind=young program=demo.Main":                   4,
		"mallard_collections_total kind=concurrent program=demo.Main":              2,
		"mallard_collection_pause_seconds_total kind=young program=demo.Main":      3,
		"mallard_collection_pause_seconds_total kind=concurrent program=demo.Main": 0,
		"mallard_losses kind=blocks program=demo.Main":                             3,
	} {
		if v, is := got[key]; !is || v != want {
			t.Errorf("%s: %v, want %v", key, v, want)
		}
	}
	if _, is := got["mallard_losses kind=live-frames program=demo.Main"]; is {
		t.Error("a span has no live frames, a recording has")
	}
}
