package profile

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// grouped lists the rows by transaction.
func grouped(p *Profile, f Filter) map[string]int64 {
	got := map[string]int64{}
	for _, row := range p.Rows(Query{By: ByTransaction, Filter: f}).Rows {
		got[row.Transaction] = row.Amount.Objects
	}
	return got
}

func TestTransactions(t *testing.T) {
	p := fold(t, profiletest.Transactions)
	tests := []struct {
		name   string
		filter Filter
		want   map[string]int64
	}{
		{"all", Filter{}, map[string]int64{"": 4, "order": 40, "item": 1200}},
		{"in a transaction, whatever is inside it", Filter{Transaction: "order"},
			map[string]int64{"order": 40, "item": 200}},
		{"under a method", Filter{Under: "*.helper"}, map[string]int64{"": 3, "order": 30}},
		{"both", Filter{Under: "*.helper", Transaction: "o*"}, map[string]int64{"order": 30}},
		{"by its frame", Filter{Under: "[[]order]"}, map[string]int64{}},
		{"by its frame, as it is printed", Filter{Under: "[order]"}, map[string]int64{"order": 40, "item": 200}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, grouped(p, test.filter)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
	}
	want := []string{
		"long[] demo.Main.run:5 [item]:-1 1000/24000",
		"long[] demo.Main.run:5 [item]:-1 [order]:-1 200/4800",
		"long[] demo.Main.helper:15 demo.Main.run:7 [order]:-1 30/720",
		"long[] demo.Main.run:5 [order]:-1 10/240",
		"long[] demo.Main.helper:15 demo.Main.run:7 3/72",
		"long[] demo.Main.run:5 1/24",
	}
	if diff := cmp.Diff(want, stacks(p, Query{})); diff != "" {
		t.Errorf("stacks: -want +got:\n%s", diff)
	}
	if got := p.Rows(Query{By: ByTransaction}).Selected; got != p.Total {
		t.Errorf("%+v, in all %+v", got, p.Total)
	}
	if facts := p.ContextFacts(); facts.Contexts != 6 || facts.Deepest != 2 || facts.Unknown.Objects != 0 {
		t.Errorf("facts %+v", facts)
	}
}

// TestTransactionsOverTime tells transactions apart from snapshot to snapshot.
func TestTransactionsOverTime(t *testing.T) {
	recording := profiletest.MustEncode(t, profiletest.Transactions)
	p, err := Fold(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	for _, filter := range []Filter{{}, {Transaction: "order"}, {Under: "[order]"}} {
		timeline, err := p.OverTime(bytes.NewReader(recording), TimeQuery{Every: time.Second, Parts: true,
			Query: Query{By: ByTransaction, Filter: filter}})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]map[string]int64, len(timeline.Intervals))
		for i, interval := range timeline.Intervals {
			got[i] = map[string]int64{}
			for k, part := range interval.Parts {
				if part.Objects != 0 {
					got[i][timeline.Rows[k].Transaction] = part.Objects
				}
			}
		}
		want := []map[string]int64{{}, {"": 1, "order": 10, "item": 100}, {"": 3, "order": 30, "item": 1100}}
		if !filter.IsZero() {
			want = []map[string]int64{{}, {"order": 10, "item": 100}, {"order": 30, "item": 100}}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: -want +got:\n%s", filter, diff)
		}
	}
}

// TestDeepTransactions begins a transaction at a depth at which calls are no longer kept apart, and another one
// inside it.
func TestDeepTransactions(t *testing.T) {
	f := newFolder()
	f.add(&trace.ClassDef{Name: "demo/Main", Counters: 1, Methods: []trace.MethodDef{{
		Name: "run", Descriptor: "()V", Number: 1, Sites: []trace.SiteDef{{Line: 5, Type: "demo/Point"}},
		Counters: []trace.CounterDef{{Semantics: []trace.Term{{Site: 0, Coefficient: 1}}}},
	}}})
	f.add(&trace.Transaction{Number: 2, Name: "order"})
	f.add(&trace.Transaction{Number: 3, Name: "item"})
	var nodes []trace.ContextNode
	var values []trace.ContextValue
	begins := map[trace.ContextID]trace.MethodID{maxDepth - 100: 2, maxDepth + 100: 3, maxDepth + 200: 2,
		maxDepth + 300: 2}
	for i := range trace.ContextID(2 * maxDepth) {
		n := trace.ContextNode{ID: i + 1, Parent: i, Method: 1, BCI: 3, Line: 6}
		if transaction, ok := begins[i]; ok {
			n.Method = transaction
		} else {
			values = append(values, trace.ContextValue{Context: i + 1, Value: 1})
		}
		nodes = append(nodes, n)
	}
	f.add(&trace.Contexts{Nodes: nodes})
	f.add(&trace.ContextCounts{Thread: 1, Values: values})
	f.add(&trace.End{Complete: true})
	p := f.finish(nil)
	want := map[string]int64{"": maxDepth - 100, "item": 99, "order": 199 + 99 + maxDepth - 301}
	if diff := cmp.Diff(want, grouped(p, Filter{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	deepest := 0
	for _, row := range p.Rows(Query{By: ByContext}).Rows {
		deepest = max(deepest, len(p.Stack(row.Site, row.Context)))
	}
	if deepest > maxDepth+3 {
		t.Errorf("%d frames", deepest)
	}
}

// TestTransactionOf has a site's objects made in two transactions, by two threads, and outside: they are of the one
// that has more than half of them, beside another site of the same method.
func TestTransactionOf(t *testing.T) {
	p := &Profile{
		Methods: []symbols.Method{{Class: "A", Name: "run"}, {Name: "[order]", Transaction: true},
			{Name: "[pay]", Transaction: true}},
		Contexts: []Context{{Method: 0, Parent: -1}, {Method: 1, Parent: 0}, {Method: 0, Parent: 1},
			{Method: 2, Parent: 2}},
		Sites: []Site{{Class: "A", Method: "run", BCI: 1, Amount: Amount{Objects: 9}},
			{Class: "A", Method: "run", BCI: 2}},
	}
	cells := func(outside, order, below, pay int64) []Cell {
		return []Cell{{Site: 0, Context: 0, Amount: Amount{Objects: outside, Bytes: 16 * outside}},
			{Site: 0, Context: 1, Amount: Amount{Objects: order, Bytes: 16 * order}},
			{Site: 0, Context: 2, Amount: Amount{Objects: below, Bytes: 16 * below}},
			{Site: 0, Context: 3, Amount: Amount{Objects: pay, Bytes: 16 * pay}},
			{Site: 1, Context: 3, Amount: Amount{Objects: 100, Bytes: 1600}}}
	}
	for _, c := range []struct {
		name  string
		first []Cell
		want  string
		bytes int64
	}{
		{"more than half", cells(1, 2, 1, 1), "order", 16 * 5},
		{"in the inner one", cells(0, 0, 0, 7), "pay", 16 * 7},
		{"half", cells(1, 2, 0, 1), "", 0},
		{"outside", cells(9, 0, 0, 0), "", 0},
	} {
		p.Threads = []Thread{{Cells: c.first}, {Cells: cells(0, 1, 1, 0)}}
		if c.name != "more than half" {
			p.Threads = p.Threads[:1]
		}
		name, made := p.TransactionOf(&Site{Class: "A", Method: "run", BCI: 1})
		if name != c.want || name != "" && made.Bytes != c.bytes {
			t.Errorf("%s: %q, %d bytes; want %q, %d", c.name, name, made.Bytes, c.want, c.bytes)
		}
	}
}
