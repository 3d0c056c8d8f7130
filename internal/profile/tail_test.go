package profile

import (
	"bytes"
	"testing"

	"mallard/internal/profile/profiletest"
	"mallard/internal/trace"
)

// TestTail: after each record that is written, what was allocated in a transaction is what a profile of the records so
// far has.
func TestTail(t *testing.T) {
	reader, err := trace.NewReader(bytes.NewReader(profiletest.MustEncode(t, profiletest.Transactions)))
	if err != nil {
		t.Fatal(err)
	}
	var file, grown bytes.Buffer
	w, tail, changes := trace.NewWriter(&file), NewTail(&grown), 0
	last := map[Filter]Amount{}
	for record, err := reader.Next(); err == nil; record, err = reader.Next() {
		before := file.Len()
		if err := w.Write(record); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		grown.Write(file.Bytes()[before:])
		if err := tail.Read(); err != nil {
			t.Fatal(err)
		}
		p, err := Fold(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		for _, filter := range []Filter{{Transaction: "order"}, {Transaction: "item"}, {Transaction: "o*,i*"},
			{Transaction: "order", Under: "*.helper"}, {Transaction: "item", Under: "*.run"}, {Transaction: "none"}} {
			want, got := p.Rows(Query{Filter: filter}).Selected, tail.InTransaction(filter)
			if got != want {
				t.Errorf("%T, %+v: %+v, want %+v", record, filter, got, want)
			}
			if got != last[filter] {
				last[filter] = got
				changes++
			}
		}
	}
	if changes < 5 {
		t.Errorf("%d changes", changes)
	}
}
