package profiletest

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/trace"
)

// records reads until the end, or until something is wrong.
func records(t *testing.T, next func() (trace.Record, error)) (list []trace.Record) {
	t.Helper()
	for {
		r, err := next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
}

func decoded(t *testing.T, recording []byte) ([]trace.Record, []*trace.Damage) {
	t.Helper()
	reader, err := trace.NewReader(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	return records(t, reader.Next), reader.Damage()
}

// TestEncode: a recording has the records of its text, nothing else, and nothing is wrong with it.
func TestEncode(t *testing.T) {
	for name, text := range map[string]string{"demo": Demo, "contexts": Contexts, "transactions": Transactions,
		"nothing": ""} {
		recording, err := Encode(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, damage := decoded(t, recording)
		// A Writer may put definitions before what was written earlier.
		want := inOrder(records(t, trace.NewTextReader(strings.NewReader(text)).Next))
		if diff := cmp.Diff(want, inOrder(got)); diff != "" || len(damage) > 0 {
			t.Errorf("%s: damage %v, -text +recording:\n%s", name, damage, diff)
		}
	}
	recording, err := Encode("Mark Nanos=1\nMark Minutes=2\n")
	if recording != nil || err == nil || !strings.HasPrefix(err.Error(), "profiletest: trace: line 2: ") {
		t.Errorf("a field that there is not: %d bytes, %v", len(recording), err)
	}
}

// inOrder sorts records by their kinds.
func inOrder(records []trace.Record) []trace.Record {
	slices.SortStableFunc(records, func(a, b trace.Record) int { return int(trace.KindOf(a)) - int(trace.KindOf(b)) })
	return records
}

// TestEncodeFlush: what is in front of a flush can be read without what is behind it.
func TestEncodeFlush(t *testing.T) {
	const text = "Mark Nanos=1\n# flush\nMark Nanos=2\nMark Nanos=3\n"
	recording, err := Encode(text)
	if err != nil {
		t.Fatal(err)
	}
	recording[len(recording)-1] ^= 1
	got, damage := decoded(t, recording)
	if diff := cmp.Diff([]trace.Record{&trace.Mark{Nanos: 1}}, got); diff != "" || len(damage) != 1 {
		t.Errorf("damage %v, -want +got:\n%s", damage, diff)
	}
}

// TestLarge: a large recording is the same each time, and has what was asked for.
func TestLarge(t *testing.T) {
	large := Large{Contexts: 20_000, Threads: 3, Rounds: 2}
	var first, second bytes.Buffer
	if err := large.Write(&first); err != nil {
		t.Fatal(err)
	}
	if err := large.Write(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("%d and %d bytes, %v", first.Len(), second.Len(), err)
	}
	nodes, entered := map[trace.ContextID]bool{}, map[trace.ContextID]int{}
	threads := map[trace.ThreadID]bool{}
	list, damage := decoded(t, first.Bytes())
	for _, r := range list {
		switch r := r.(type) {
		case *trace.Contexts:
			for _, n := range r.Nodes {
				if n.Parent != 0 && !nodes[n.Parent] {
					t.Fatalf("%+v comes before its caller", n)
				}
				nodes[n.ID] = true
			}
		case *trace.ContextCounts:
			threads[r.Thread] = true
			for _, v := range r.Invocations {
				entered[v.Context]++
			}
		}
	}
	if len(nodes) != large.Contexts || len(threads) != large.Threads || len(damage) > 0 {
		t.Errorf("%d contexts, %d threads, damage %v", len(nodes), len(threads), damage)
	}
	for id := range nodes {
		if entered[id] != large.Rounds {
			t.Fatalf("context %d has counts in %d rounds", id, entered[id])
		}
	}
	if end, ok := list[len(list)-1].(*trace.End); !ok || !end.Complete {
		t.Errorf("ends with %+v", list[len(list)-1])
	}
}
