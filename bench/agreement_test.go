package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPairUp: what samples say of copies is compared with shares of bytes, and what they say of the largest group with
// shares of objects; rows of few bytes, of few that were looked at, or that one side does not know, with nothing.
func TestPairUp(t *testing.T) {
	var sampled sampledCopies
	var exact exactCopies
	read := func(text string, to any) {
		if err := json.Unmarshal([]byte(text), to); err != nil {
			t.Fatal(err)
		}
	}
	const at = `{"class": "demo.Main", "method": "fill", "line": 6}`
	read(`{"method": {"looked_at": 90}, "rows": [
		{"class": "int[]", "stack": [`+at+`], "bytes": 900, "copied": 0.2, "largest": 0.1, "looked_at": 50},
		{"class": "char[]", "stack": [`+at+`], "bytes": 50, "copied": 1, "largest": 1, "looked_at": 19},
		{"class": "long[]", "stack": [`+at+`], "bytes": 9, "copied": 1, "largest": 1, "looked_at": 20},
		{"class": "byte[]", "stack": [`+at+`], "bytes": 50, "copied": 1, "largest": 1, "looked_at": 20},
		{"class": "int[]", "stack": [], "bytes": 50, "copied": null, "largest": null, "looked_at": 20}]}`, &sampled)
	read(`{"totals": {"bytes": 1000}, "rows": [
		{"class": "int[]", "site": `+at+`, "objects": 70, "bytes": 300, "objects_saved": 60, "bytes_saved": 250,
			"largest_group": 40},
		{"class": "int[]", "site": `+at+`, "objects": 30, "bytes": 700, "objects_saved": 20, "bytes_saved": 50,
			"largest_group": 20},
		{"class": "long[]", "site": `+at+`, "objects": 1, "bytes": 9},
		{"class": "char[]", "site": `+at+`, "objects": 1, "bytes": 50}, {"class": "byte[]", "site": null}]}`, &exact)
	want := []Judged{{Class: "int[]", Site: "demo.Main.fill:6", Bytes: 900, Sampled: 0.2, Exact: 0.3,
		SampledLargest: 0.1, ExactLargest: 0.4}}
	if diff := cmp.Diff(want, pairUp(&sampled, &exact)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
