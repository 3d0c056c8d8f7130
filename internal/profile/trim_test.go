package profile

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/trace"
)

// TestTrim: a recording that gives up what is older than one of its keyframes counts the same, to the object, also what
// threads did that have ended, and classes whose counters' numbers are others' now; given up twice, too.
func TestTrim(t *testing.T) {
	g := newGrowing()
	var keyframes []int64
	g.put(&trace.Transaction{Number: 9000, Name: "order"})
	for ended := range uint64(3) { // none after the first keyframe
		g.put(&trace.TransactionSizes{Number: 9000, Ended: ended + 1})
	}
	for second := 1; second <= 40; second++ {
		if second%3 == 1 {
			g.class()
		}
		g.allocate()
		if second%5 == 0 {
			g.ends(second)
		}
		if second%9 == 0 {
			g.retires(second)
		}
		g.put(&trace.Events{Observer: "test", Headers: []trace.EventHeader{{Kind: 1, Bytes: 1000}},
			Data: make([]byte, 1000)})
		g.snapshot(second, second%perKeyframe == 0)
		if second%perKeyframe == 0 {
			keyframes = append(keyframes, int64(second)*int64(time.Second))
		}
	}
	g.put(&trace.End{Nanos: 41e9, Complete: true})
	file := written(t, g.records)
	want := counted(folded(t, file))
	trimmed := file
	for _, nanos := range keyframes {
		for name, from := range map[string][]byte{"at once": file, "again": trimmed} {
			kept := trim(t, from, nanos)
			p := folded(t, kept)
			if diff := cmp.Diff(want, counted(p)); diff != "" || len(p.Damage) > 0 || p.Kept == nil {
				t.Errorf("%s at %d ns: damage %v, -want +got\n%s", name, nanos, p.Damage, diff)
			}
			if s := p.TransactionSizes("order"); s == nil || s.Ended != 3 {
				t.Errorf("%s at %d ns: transactions %+v", name, nanos, s)
			}
			if len(kept) >= len(from) {
				t.Errorf("%s at %d ns: %d of %d bytes are left", name, nanos, len(kept), len(from))
			}
			if name == "again" {
				trimmed = kept
			}
		}
	}
	if err := trace.Trim(trace.NewWriter(&bytes.Buffer{}), bytes.NewReader(file), trace.Kept{From: 5}); err == nil {
		t.Error("a recording was trimmed at a keyframe that it does not have")
	}
}

// ends has a thread come and go.
func (g *growing) ends(second int) {
	id := trace.ThreadID(100 + second)
	g.put(&trace.Thread{ID: id, Name: fmt.Sprint("short ", second)})
	for i := range 3 {
		g.put(&trace.Snapshot{Nanos: int64(second) * int64(time.Second), Thread: id, Full: i == 2,
			Values: []trace.CounterValue{{Counter: 100, Value: int64(second + i)}}})
	}
	g.put(&trace.Allocated{Thread: id, Bytes: 1000})
	g.put(&trace.Thread{ID: id, Name: fmt.Sprint("short ", second), Ended: true})
}

// retires has a class come and go whose counter has the number of the one before.
func (g *growing) retires(second int) {
	n := uint32(g.classes)
	g.classes++
	name := fmt.Sprintf("demo/Gone%d", n)
	g.put(&trace.ClassSize{Name: name, Bytes: 16})
	g.put(&trace.ClassDef{ID: trace.ClassID(n), Name: name, SiteBase: trace.SiteID(2 * n), CounterBase: 5000,
		Counters: 2, Methods: []trace.MethodDef{{Name: "run", Descriptor: "()V", Number: trace.MethodID(n + 1),
			Sites: []trace.SiteDef{{BCI: 1, Line: 1, Type: name}, {BCI: 2, Line: 1, Type: name}},
			Counters: []trace.CounterDef{{Counter: 0, Semantics: []trace.Term{{Site: 0, Coefficient: 1}}},
				{Counter: 1, Semantics: []trace.Term{{Site: 1, Coefficient: 1}}}}}}})
	g.put(&trace.Thread{ID: 50, Name: "long"})
	g.put(&trace.Snapshot{Nanos: int64(second) * int64(time.Second), Thread: 50,
		Values: []trace.CounterValue{{Counter: 5000, Value: int64(second)}, {Counter: 5001, Value: 1}}})
	if second < 30 {
		g.put(&trace.Retired{Class: trace.ClassID(n)})
	}
}

func trim(t *testing.T, file []byte, nanos int64) []byte {
	t.Helper()
	var out bytes.Buffer
	w := trace.NewWriter(&out)
	if err := trace.Trim(w, bytes.NewReader(file), trace.Kept{From: nanos, For: 7e9}); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func folded(t *testing.T, file []byte) *Profile {
	t.Helper()
	p, err := Fold(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
