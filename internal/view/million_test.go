package view

import (
	"bytes"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"mallard/internal/export/pagetest"
	"mallard/internal/jvmtest"
	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// TestMillion measures what answers about a million contexts take, and when a browser has drawn the first page; in the
// long tests.
func TestMillion(t *testing.T) {
	if !jvmtest.Long() {
		t.Skip("MALLARD_LONG=1 measures a million contexts")
	}
	var recording bytes.Buffer
	if err := (profiletest.Large{Contexts: 1000000, Threads: 20, Rounds: 10}).Write(&recording); err != nil {
		t.Fatal(err)
	}
	took := func(what string, f func()) {
		runtime.GC()
		begin := time.Now()
		f()
		t.Logf("%6d ms  %s", time.Since(begin).Milliseconds(), what)
	}
	var p *profile.Profile
	var r *Recording
	var err error
	took("the recording is read", func() { p, err = profile.Fold(bytes.NewReader(recording.Bytes())) })
	if err != nil {
		t.Fatal(err)
	}
	took("it is laid out", func() { r = New(p, nil) })
	took("the first piece", func() { r.Piece(PieceQuery{Tree: Calls, Options: Options{Bytes: true}, Width: 1200}) })
	var changes *Changes
	took("what was allocated when is read", func() {
		changes, err = NewTiming(bytes.NewReader(recording.Bytes())).Read(r)
	})
	if err != nil {
		t.Fatal(err)
	}
	r.SetChanges(changes)
	span := Query{Span: profile.Span{From: 2 * time.Second, To: 7 * time.Second}}
	class := Query{Filter: profile.Filter{Class: "String"}}
	under := Query{Filter: profile.Filter{Under: "*.Class7.method1"}}
	thread := Query{Filter: profile.Filter{Thread: "thread-7"}}
	method := r.key(name{ofMethod, r.named[1000], -1})
	for _, ask := range []struct {
		what string
		PieceQuery
	}{
		{"calls", PieceQuery{Tree: Calls}}, {"again", PieceQuery{Tree: Calls}},
		{"classes", PieceQuery{Tree: Classes}}, {"again", PieceQuery{Tree: Classes}},
		{"lines", PieceQuery{Tree: Calls, Options: Options{Lines: true}}},
		{"folded", PieceQuery{Tree: Calls, Options: Options{Folded: true}}},
		{"callers", PieceQuery{Tree: Callers, Method: method}}, {"callees", PieceQuery{Tree: Callees, Method: method}},
		{"a span", PieceQuery{Tree: Calls, Query: span}}, {"a class", PieceQuery{Tree: Calls, Query: class}},
		{"below a method", PieceQuery{Tree: Calls, Query: under}}, {"a thread", PieceQuery{Tree: Calls, Query: thread}},
	} {
		ask.Width, ask.Bytes = 1200, true
		took("tree: "+ask.what, func() {
			if _, err := r.Piece(ask.PieceQuery); err != nil {
				t.Error(err)
			}
		})
	}
	for _, by := range []string{"method", "class", "site", "line", "thread", "transaction"} {
		took("rows by "+by, func() { r.Rows(RowsQuery{By: by, Sort: "all", Count: 200}) })
	}
	took("rows by line again, searched", func() {
		r.Rows(RowsQuery{By: "line", Sort: "self", Count: 200, Search: "7"})
	})
	took("a search", func() { r.Found(Query{}, "class7") })
	took("the timeline", func() { r.Timeline(Query{}) })
	took("the timeline of a class", func() { r.Timeline(class) })
	took("a source file", func() {
		r.Source(Query{}, "java/lang/Class.java", 0, func(string) ([]string, string, bool) { return nil, "", false })
	})
	address := served(t, recording.Bytes(), "")
	picture := filepath.Join(t.TempDir(), "picture.png")
	took("a browser has started, shown nothing, and ended", func() {
		pagetest.Open(t, "about:blank", "--virtual-time-budget=500", "--screenshot="+picture)
	})
	took("the same with the page, while changes are read", func() {
		pagetest.Open(t, address, "--virtual-time-budget=500", "--screenshot="+picture)
	})
}
