package follow

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// TestSpans: whatever a file has at each time that somebody looks, what was taken adds up to the recording's amounts,
// half a round of snapshots and a span that is asked for twice included.
func TestSpans(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.mallard")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := trace.NewWriter(file)
	write := func(list ...trace.Record) {
		t.Helper()
		for _, r := range list {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	r := New(name)
	var sum profile.Amount
	look := func(want int64, isNew, taken bool) {
		t.Helper()
		p, err := r.Next(false)
		if err != nil {
			t.Fatal(err)
		}
		if (p != nil) != isNew {
			t.Fatalf("%v", p)
		}
		if p == nil {
			return
		}
		if p.Total.Objects != want {
			t.Errorf("%d objects, not %d", p.Total.Objects, want)
		}
		if taken {
			sum.Add(p.Total)
			r.Taken(p)
		}
	}
	counted := func(nanos, value int64, thread trace.ThreadID) *trace.Snapshot {
		return &trace.Snapshot{Nanos: nanos, Thread: thread, Values: []trace.CounterValue{{Counter: 0, Value: value}}}
	}
	look(0, false, false) // nothing at all
	write(&trace.Process{JVMVersion: "17", Track: []string{"sites"}, ArrayBase: [4]uint32{16, 16, 16, 16}, RefBytes: 4,
		ObjectAlignment: 8},
		&trace.ClassDef{Name: "A", Counters: 1, Methods: []trace.MethodDef{{Name: "a", Descriptor: "()V",
			Sites:    []trace.SiteDef{{Type: "[J", Kind: trace.ArrayConst, Length: 1}},
			Counters: []trace.CounterDef{{Semantics: []trace.Term{{Coefficient: 1}}}}}}},
		&trace.Thread{ID: 1, Name: "main"}, &trace.Thread{ID: 2, Name: "other"})
	look(0, false, false) // no snapshot
	second := int64(time.Second)
	write(counted(second, 10, 1), counted(second, 5, 2), &trace.Mark{Nanos: second})
	look(15, true, false)
	look(15, true, true)
	look(0, false, false)
	write(counted(2*second, 11, 1)) // half a round
	look(0, false, false)
	write(counted(2*second, 7, 2), &trace.Mark{Nanos: 2 * second}, counted(3*second, 100, 1))
	look(3, true, false)
	write(&trace.Mark{Nanos: 3 * second})
	look(3+89, true, true)
	write(counted(4*second, 101, 1), &trace.LiveFrames{Thread: 1, Terms: []trace.SiteTerm{{Coefficient: 2}}},
		&trace.Mark{Nanos: 4 * second}, &trace.End{Nanos: 4 * second, Complete: true})
	look(-1, true, true)
	look(0, false, false)
	if !r.Ended() {
		t.Error("there is an end")
	}
	p, err := profile.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	if p.Total != sum {
		t.Errorf("%+v of %+v", sum, p.Total)
	}
}
