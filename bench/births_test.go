package main

import "testing"

// TestBirths: what a class has too few of and another one too many is not taken for the same; what was born nobody
// knows where is no difference where its class has all that was counted.
func TestBirths(t *testing.T) {
	main, other := &frame{Class: "demo.Main"}, &frame{Class: "demo.Other"}
	row := Births{}
	row.compare(&removedAnswer{Rows: []removedRow{
		{"demo.Point", main, 100, 1600, 90, 1440},
		{"demo.Point", other, 50, 800, 50, 800},
		{"demo.Point", nil, 0, 0, 10, 160},
		{"demo.Box", main, 70, 1120, 30, 480},
		{"demo.Box", nil, 0, 0, 5, 80},
		{"java.lang.String", main, 20, 480, 20, 480},
		{"java.lang.String", nil, 0, 0, 3, 72},
	}})
	want := Births{Born: objects{208, 3512}, Counted: objects{240, 4000}, Fewer: objects{35, 560}, More: objects{3, 72},
		Unsited: objects{15, 240}}
	if row != want {
		t.Errorf("%+v, want %+v", row, want)
	}
}
