package profile

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
	"mallard/internal/trace"
)

// growing writes a recording of a program that allocates at random, with a snapshot each second and a keyframe each
// perKeyframe seconds. It gives what was recorded until each snapshot as well.
type growing struct {
	random  *rand.Rand
	records []trace.Record
	values  [3]map[trace.CounterID]int64 // by thread
	context map[trace.ContextValue]int64 // without Value
	nodes   int
	classes int
}

const perKeyframe = 7

func newGrowing() *growing {
	g := &growing{random: rand.New(rand.NewPCG(5, 6)), context: map[trace.ContextValue]int64{}}
	for i := range g.values {
		g.values[i] = map[trace.CounterID]int64{}
	}
	g.put(&trace.Process{ArrayBase: [4]uint32{16, 16, 16, 16}, RefBytes: 4, ObjectAlignment: 8, Started: 1})
	return g
}

func (g *growing) put(r trace.Record) { g.records = append(g.records, r) }

// class defines a class with a site of an instance, one of arrays, and a method that counts both in contexts as well.
func (g *growing) class() {
	name, n := fmt.Sprintf("demo/C%d", g.classes), uint32(g.classes)
	g.classes++
	g.put(&trace.ClassSize{Name: name, Bytes: 24})
	g.put(&trace.ClassDef{ID: trace.ClassID(n), Name: name,
		SiteBase: trace.SiteID(2 * n), CounterBase: trace.CounterID(100 + 2*n), Counters: 2,
		Methods: []trace.MethodDef{{Name: "run", Descriptor: "()V", Number: trace.MethodID(n + 1),
			Sites: []trace.SiteDef{{BCI: 1, Line: 1, Type: name}, {BCI: 5, Line: 2, Type: "[I", Kind: trace.ArrayLen}},
			Counters: []trace.CounterDef{{Counter: 0, Semantics: []trace.Term{{Site: 0, Coefficient: 2}}},
				{Counter: 1, Kind: trace.Packed, Semantics: []trace.Term{{Site: 1, Coefficient: 1}}}}}}})
}

// allocate makes some objects.
func (g *growing) allocate() {
	for range 5 {
		class := uint32(g.random.IntN(g.classes))
		counter := trace.CounterID(100 + 2*class)
		length := int64(1 + g.random.IntN(9))
		packed := 1<<19 | length<<31 | 16
		values := g.values[g.random.IntN(3)]
		values[counter]++
		values[counter+1] += packed
		if g.random.IntN(3) == 0 {
			g.nodes++
			node := trace.ContextNode{ID: trace.ContextID(g.nodes), Method: trace.MethodID(class + 1), BCI: -1,
				Line: -1}
			g.put(&trace.Contexts{Nodes: []trace.ContextNode{node}})
			g.context[trace.ContextValue{Context: node.ID, Counter: counter}] = 0
		}
	}
	for k := range g.context {
		if g.random.IntN(2) == 0 {
			g.context[k]++
		}
	}
}

// snapshot records everything, or what may have changed.
func (g *growing) snapshot(second int, full bool) {
	now := int64(second) * int64(time.Second)
	if full {
		g.put(&trace.Keyframe{Nanos: now})
	}
	for i, values := range g.values {
		thread := trace.ThreadID(i + 1)
		g.put(&trace.Thread{ID: thread, Name: fmt.Sprint("worker ", i)})
		s := &trace.Snapshot{Nanos: now, Thread: thread, Full: full}
		for c := range trace.CounterID(500) {
			if v := values[c]; v != 0 {
				s.Values = append(s.Values, trace.CounterValue{Counter: c, Value: v})
			}
		}
		g.put(s)
	}
	counts := &trace.ContextCounts{Nanos: now, Thread: 1, Full: true}
	for k, v := range g.context {
		k.Value = v
		counts.Values = append(counts.Values, k)
		counts.Invocations = append(counts.Invocations, trace.ContextInvocations{Context: k.Context, Count: v})
	}
	slices.SortFunc(counts.Values, func(a, b trace.ContextValue) int { return int(a.Context) - int(b.Context) })
	g.put(counts)
	g.put(&trace.Mark{Nanos: now, Contexts: true})
}

func written(t testing.TB, records []trace.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	w := trace.NewWriter(&b)
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
		if _, is := r.(*trace.Mark); is {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// counted gives all amounts of a profile by names.
func counted(p *Profile) map[string]Amount {
	amounts := map[string]Amount{}
	for s := range p.Samples(Filter{}) {
		key := s.Thread.Name + " " + s.Site.Type
		for _, f := range p.Stack(s.Site, s.Context) {
			key += " " + f.Title()
		}
		a := amounts[key]
		a.Add(s.Amount)
		amounts[key] = a
	}
	for i, c := range p.Contexts {
		if key := "calls " + p.Methods[p.Contexts[i].Method].Title(); c.Calls != 0 {
			a := amounts[key]
			a.Add(Amount{Objects: c.Calls})
			amounts[key] = a
		}
	}
	return amounts
}

// foldSpan opens a reader for it.
func foldSpan(file *trace.File, span Span) (*Profile, error) {
	reader, err := file.From(int64(span.From))
	if err != nil {
		return nil, err
	}
	return FoldSpan(reader, span)
}

// TestFoldSpan compares spans with the difference of two recordings that end where the span begins and ends.
func TestFoldSpan(t *testing.T) {
	g := newGrowing()
	var until [][]trace.Record // by second
	for second := range 40 {
		if second%5 == 0 {
			g.class()
		}
		g.allocate()
		g.snapshot(second, second%perKeyframe == perKeyframe-1)
		until = append(until, g.records[:len(g.records):len(g.records)])
	}
	g.put(&trace.Loss{Kind: "test", Detail: "of the end"})
	g.put(&trace.End{Nanos: 40e9, Complete: true})
	whole := written(t, g.records)
	at := func(second int) map[string]Amount {
		p, err := Fold(bytes.NewReader(written(t, until[second])))
		if err != nil {
			t.Fatal(err)
		}
		return counted(p)
	}
	for _, ends := range [][2]int{{1, 2}, {5, 7}, {6, 39}, {13, 14}, {14, 30}, {30, 33}, {38, 39}} {
		file, err := trace.OpenFile(bytes.NewReader(whole), int64(len(whole)))
		if err != nil {
			t.Fatal(err)
		}
		second := func(n int) time.Duration { return time.Duration(n) * time.Second }
		p, err := foldSpan(file, Span{second(ends[0]) - time.Millisecond, second(ends[1]) - time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		want, before := at(ends[1]), at(ends[0])
		for key, a := range before {
			w := want[key]
			w.Add(Amount{-a.Objects, -a.Elements, -a.Bytes, -a.Unsized, -a.Bytecodes})
			if want[key] = w; w.IsZero() {
				delete(want, key)
			}
		}
		if diff := cmp.Diff(want, counted(p)); diff != "" {
			t.Errorf("%v: -want +got:\n%s", ends, diff)
		}
		if *p.Span != (Span{second(ends[0]), second(ends[1])}) || !p.Complete || len(p.Damage) > 0 {
			t.Errorf("%v: span %v, complete %v, damage %v", ends, p.Span, p.Complete, p.Damage)
		}
		if !slices.ContainsFunc(p.Losses, func(l trace.Loss) bool { return l.Kind == "test" }) {
			t.Errorf("%v: losses %v", ends, p.Losses)
		}
		timeline, err := p.SpanOverTime(file, TimeQuery{Every: 3 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		var sum Amount
		for _, i := range timeline.Intervals {
			sum.Add(i.Amount)
		}
		last := len(timeline.Intervals) - 1
		if sum != p.Total || timeline.Intervals[0].From != p.Span.From || timeline.Intervals[last].To != p.Span.To {
			t.Errorf("%v: intervals %v, want a sum of %v", ends, timeline.Intervals, p.Total)
		}
	}
}

// readings counts what is read.
type readings struct {
	io.ReaderAt
	bytes int64
}

func (r *readings) ReadAt(b []byte, offset int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(b, offset)
	r.bytes += int64(n)
	return n, err
}

// TestSpanOfRunning: a span of a recording that has not ended ends with the last snapshot, also where marks that are
// none follow.
func TestSpanOfRunning(t *testing.T) {
	text, _, _ := strings.Cut(profiletest.Transactions, "ContextCounts Nanos=3000000000")
	for end, want := range map[string]time.Duration{"": 2 * time.Second,
		"End Nanos=2900000000 Complete=true\n": 2900 * time.Millisecond} {
		b := profiletest.MustEncode(t, text+"Mark Nanos=2700000000\n"+end)
		file, err := trace.OpenFile(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := foldSpan(file, Span{From: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if p.Span.To != want || p.Total.Objects != 111 || p.Ended() != (end != "") {
			t.Errorf("%q: to %v, %d objects", end, p.Span.To, p.Total.Objects)
		}
	}
}

// TestSpanReadsLittle asks for the last minute of a long recording: 2 GB of it with MALLARD_LONG.
func TestSpanReadsLittle(t *testing.T) {
	size := int64(64 << 20)
	if os.Getenv("MALLARD_LONG") != "" {
		size = 2 << 30
	}
	file, err := os.Create(t.TempDir() + "/long.mallard")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	seconds := writeLongSpan(t, file, size)
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for _, index := range []bool{true, false} {
		size := info.Size()
		if !index {
			size -= 10 // as a recorder leaves it that was killed
		}
		counter := &readings{ReaderAt: file}
		started := time.Now()
		opened, err := trace.OpenFile(counter, size)
		if err != nil {
			t.Fatal(err)
		}
		end, err := opened.End()
		if err != nil {
			t.Fatal(err)
		}
		p, err := foldSpan(opened, Span{From: time.Duration(end) - time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.SpanOverTime(opened, TimeQuery{}); err != nil {
			t.Fatal(err)
		}
		share := float64(counter.bytes) / float64(size)
		t.Logf("index %v: %d s in %d bytes, read %d for the report and again over time: %.2f %%, in %v",
			index, seconds, size, counter.bytes, 100*share, time.Since(started))
		if share > 0.1 || p.Total.Objects == 0 {
			t.Errorf("%.1f %% read, total %v", 100*share, p.Total)
		}
	}
}

// writeLongSpan writes a recording of at least size bytes; in each of its seconds 8 threads count, and now and then a
// class is defined.
func writeLongSpan(t testing.TB, out io.Writer, size int64) (seconds int) {
	random := rand.New(rand.NewPCG(7, 8))
	sink := &counter{Writer: out}
	w := trace.NewWriter(sink)
	write := func(r trace.Record) {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	write(&trace.Process{})
	var values [8][2000]int64
	for least := 2000; sink.bytes < size || seconds < least; seconds++ {
		now := int64(seconds) * int64(time.Second)
		if seconds%10 == 0 && seconds < 20000 {
			n := uint32(seconds / 10)
			write(&trace.ClassDef{ID: trace.ClassID(n), Name: fmt.Sprintf("demo/C%d", n),
				SiteBase: trace.SiteID(n), CounterBase: trace.CounterID(n), Counters: 1,
				Methods: []trace.MethodDef{{Name: "run", Sites: []trace.SiteDef{{Type: "[I", Kind: trace.ArrayConst}},
					Counters: []trace.CounterDef{{Semantics: []trace.Term{{Site: 0, Coefficient: 1}}}}}}})
		}
		keyframe := seconds%60 == 59 && w.KeyframeDue()
		if keyframe {
			write(&trace.Keyframe{Nanos: now})
		}
		for thread := range values {
			s := &trace.Snapshot{Nanos: now, Thread: trace.ThreadID(thread), Full: keyframe}
			for c := range min(len(values[thread]), seconds/10+1) {
				changes := random.IntN(4) > 0
				if changes {
					values[thread][c] += random.Int64N(1 << 20)
				}
				if v := values[thread][c]; (changes || keyframe) && v != 0 {
					s.Values = append(s.Values, trace.CounterValue{Counter: trace.CounterID(c), Value: v})
				}
			}
			write(s)
		}
		write(&trace.Mark{Nanos: now})
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	write(&trace.End{Nanos: int64(seconds) * int64(time.Second)})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return seconds
}

type counter struct {
	io.Writer
	bytes int64
}

func (c *counter) Write(b []byte) (int, error) {
	c.bytes += int64(len(b))
	return c.Writer.Write(b)
}
