package view

import (
	"bytes"
	"sync"
	"testing"
	"time"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// million is a recording of a million contexts that is laid out, with its changes.
var million = sync.OnceValues(func() (*Recording, error) {
	var recording bytes.Buffer
	if err := (profiletest.Large{Contexts: 1000000, Threads: 20, Rounds: 10}).Write(&recording); err != nil {
		return nil, err
	}
	p, err := profile.Fold(bytes.NewReader(recording.Bytes()))
	if err != nil {
		return nil, err
	}
	r := New(p, nil)
	changes, err := NewTiming(bytes.NewReader(recording.Bytes())).Read(r)
	if err == nil {
		r.SetChanges(changes)
	}
	return r, err
})

// BenchmarkMillion measures answers about a million contexts that nobody has asked for before.
func BenchmarkMillion(b *testing.B) {
	r, err := million()
	if err != nil {
		b.Fatal(err)
	}
	class := Query{Filter: profile.Filter{Class: "String"}}
	span := Query{Span: profile.Span{From: 2 * time.Second, To: 7 * time.Second}}
	tree := func(kind Tree, q Query, o Options) func() {
		o.Bytes = true
		return func() { r.Piece(PieceQuery{Query: q, Tree: kind, Options: o, Width: 1200}) }
	}
	rows := func(q RowsQuery) func() { return func() { r.Rows(q) } }
	for _, ask := range []struct {
		what     string
		question func()
	}{
		{"calls", tree(Calls, Query{}, Options{})}, {"calls of a class", tree(Calls, class, Options{})},
		{"calls in a span", tree(Calls, span, Options{})},
		{"classes", tree(Classes, Query{}, Options{})},
		{"classes by line", tree(Classes, Query{}, Options{Lines: true})},
		{"methods", rows(RowsQuery{By: "method", Sort: "all", Count: 200})},
		{"lines", rows(RowsQuery{By: "line", Sort: "all", Count: 200})},
		{"lines searched", rows(RowsQuery{By: "line", Sort: "self", Count: 200, Search: "7"})},
		{"timeline", func() { r.Timeline(Query{}) }}, {"timeline of a class", func() { r.Timeline(class) }},
		{"lines are numbered", func() { numberLines(r.Profile, &r.cells, r.ends) }},
	} {
		b.Run(ask.what, func(b *testing.B) {
			for b.Loop() {
				r.recent = nil
				ask.question()
			}
		})
	}
}
