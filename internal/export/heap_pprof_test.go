package export

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"

	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
)

// heapPprofOf writes what was in the heap of the small program at a moment.
func heapPprofOf(t *testing.T, moment int, by ...heap.By) []byte {
	t.Helper()
	p, h := openHeap(t, heaptest.Demo(), heaptest.DemoSites()...)
	held := h.Held(moment, heap.Query{By: by, Counts: heap.NewCounts(h, p)})
	var out bytes.Buffer
	if err := HeapPprof(&out, "demo.mallard", p, h, held); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestHeapPprof: samples are what was held, without what is no object, and at their time.
func TestHeapPprof(t *testing.T) {
	back, err := pprof.ParseData(heapPprofOf(t, 1, heap.BySite, heap.BySpace, heap.ByAge))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{fmt.Sprintf("%s/%s %s/%s %s", back.SampleType[0].Type, back.SampleType[0].Unit,
		back.SampleType[1].Type, back.SampleType[1].Unit, back.DefaultSampleType),
		fmt.Sprint(back.TimeNanos, " ", back.DurationNanos)}
	for _, s := range back.Sample {
		line := fmt.Sprint(s.Value, s.Label)
		for _, l := range s.Location {
			f := l.Line[0]
			line += fmt.Sprintf(" < %s %s:%d", f.Function.Name, f.Function.Filename, f.Line)
		}
		got = append(got, line)
	}
	want := []string{
		"inuse_objects/count inuse_space/bytes inuse_space", "1763648002010000000 0",
		"[50 1600] map[age:[1] class:[demo.Entry] space:[survivor]] < demo.Entry :0" +
			" < demo.Cache.<init> demo/Cache.java:11",
		"[30 720] map[age:[2] class:[java.lang.String] space:[survivor]] < java.lang.String :0",
		"[5 120] map[age:[1] class:[demo.Point] space:[survivor]] < demo.Point :0 < demo.Main.run demo/Main.java:10",
		"[4 96] map[class:[demo.Point] space:[old]] < demo.Point :0 < demo.Main.run demo/Main.java:10",
		"[2 208] map[class:[int[]] space:[old]] < int[] :0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestHeapPprofIsRead has the tool read it.
func TestHeapPprofIsRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "heap.pb.gz")
	if err := os.WriteFile(file, heapPprofOf(t, 4, heap.BySite), 0o666); err != nil {
		t.Fatal(err)
	}
	readByPprof(t, file, []pprofQuestion{
		{[]string{"-top"}, []string{`^Type: inuse_space$`, `^ +2240B +83\.58% .* demo\.Entry$`,
			`^ +0 +0% .* 2240B +83\.58% +demo\.Cache\.<init>$`}},
		{[]string{"-top", "-sample_index=inuse_objects"}, []string{`^ +70 .* demo\.Entry$`, `^ +1 .* int\[\]$`}},
		{[]string{"-comments"}, []string{`^heap: at the JVM's end, 5\.000 s$`}},
	})
}
