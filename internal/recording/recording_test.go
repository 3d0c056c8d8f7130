package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mallard/internal/trace"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// disk takes writes as far as it is let.
type disk struct {
	mu     sync.Mutex
	bytes  bytes.Buffer
	frozen chan struct{} // closed: it takes writes; nil: always
}

func (d *disk) Write(b []byte) (int, error) {
	if d.frozen != nil {
		<-d.frozen
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.bytes.Write(b)
}

// records reads back what a finished recording has in its file.
func (d *disk) records(t *testing.T) []trace.Record {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	r, err := trace.NewReader(bytes.NewReader(d.bytes.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var all []trace.Record
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, index := record.(*trace.Index); !index {
			all = append(all, record)
		}
	}
}

func snapshot(values int) *trace.Snapshot {
	s := &trace.Snapshot{Thread: 1}
	for i := range values {
		s.Values = append(s.Values, trace.CounterValue{Counter: trace.CounterID(i), Value: int64(i)})
	}
	return s
}

// TestOrder has several goroutines put records: each one's stay in order, and the end is the last.
func TestOrder(t *testing.T) {
	d := &disk{}
	r := New(d, time.Now(), quiet, nil)
	const each = 1000
	var group sync.WaitGroup
	for thread := range trace.ThreadID(4) {
		group.Go(func() {
			for i := range each {
				r.Put(&trace.Snapshot{Thread: thread, Nanos: int64(i)})
				if i%100 == 0 {
					r.Flush()
				}
			}
		})
	}
	group.Wait()
	r.Loss("one", "of a kind")
	r.Losses("one", "of a kind", 1)
	r.Finish(true, "ended")
	r.Put(snapshot(1)) // too late
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	next := map[trace.ThreadID]int64{}
	all := d.records(t)
	for _, record := range all {
		if s, ok := record.(*trace.Snapshot); ok {
			if s.Nanos != next[s.Thread] {
				t.Fatalf("thread %d: %d after %d", s.Thread, s.Nanos, next[s.Thread])
			}
			next[s.Thread]++
		}
	}
	if len(all) != 4*each+2 {
		t.Errorf("%d records", len(all))
	}
	if loss, ok := all[len(all)-2].(*trace.Loss); !ok || loss.Count != 2 || loss.Kind != "one" {
		t.Errorf("before the end: %+v", all[len(all)-2])
	}
	if end, ok := all[len(all)-1].(*trace.End); !ok || !end.Complete {
		t.Errorf("at the end: %+v", all[len(all)-1])
	}
}

// TestFrozenDisk has a disk that takes nothing: nobody waits for it, what there is no room for is a loss, and the rest
// is in the file when the disk takes it.
func TestFrozenDisk(t *testing.T) {
	const values = 100_000
	const records = 2 * maxQueue / (16 * values)
	put := func(r *Recording) (behind int, took time.Duration) {
		started := time.Now()
		for range records {
			r.Put(snapshot(values))
			r.Flush()
			if r.Behind() {
				behind++
			}
		}
		return behind, time.Since(started)
	}
	quick := New(&disk{}, time.Now(), quiet, nil)
	_, plain := put(quick)
	quick.Finish(true, "ended")
	quick.Close() // whether it followed does not matter
	d := &disk{frozen: make(chan struct{})}
	r := New(d, time.Now(), quiet, nil)
	behind, took := put(r)
	if behind == 0 {
		t.Error("never behind")
	}
	if took > 3*plain+10*time.Second { // it does the same, and is not to wait
		t.Errorf("putting %d records took %v, and %v where the disk takes them", records, took, plain)
	}
	r.Finish(true, "ended")
	if r.Written(0) {
		t.Error("written, though the disk took nothing")
	}
	close(d.frozen)
	if err := r.Close(); err == nil {
		t.Error("nothing is said of records that were dropped")
	}
	snapshots, lost := 0, 0
	for _, record := range d.records(t) {
		switch record := record.(type) {
		case *trace.Snapshot:
			snapshots++
		case *trace.Loss:
			lost += int(record.Count)
			if !strings.Contains(record.Detail, "Snapshot") {
				t.Errorf("loss %+v", record)
			}
		}
	}
	if lost == 0 || snapshots+lost != records {
		t.Errorf("%d snapshots and %d lost of %d", snapshots, lost, records)
	}
}

// TestDetailWaits has snapshots come faster than a slow disk takes them: whoever can wait does, and nothing is lost.
func TestDetailWaits(t *testing.T) {
	d := &disk{}
	r := New(d, time.Now(), quiet, nil)
	const values, n = 100_000, 2 * maxQueue / (16 * 100_000)
	for range n {
		r.PutDetail(snapshot(values))
	}
	r.Finish(true, "ended")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if all := d.records(t); len(all) != n+1 {
		t.Errorf("%d records of %d", len(all), n+1)
	}
}

// TestStalledDetail has them come where the disk takes nothing at all.
func TestStalledDetail(t *testing.T) {
	d := &disk{frozen: make(chan struct{})}
	r := New(d, time.Now(), quiet, nil)
	for !r.Behind() {
		r.Put(snapshot(100_000))
	}
	started := time.Now()
	r.PutDetail(snapshot(1))
	if took := time.Since(started); took < stalled/2 || took > 30*stalled {
		t.Errorf("waited %v", took)
	}
	close(d.frozen)
	r.Finish(true, "")
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// failing panics once, then takes everything.
type failing struct {
	disk
	times int
}

func (f *failing) Write(b []byte) (int, error) {
	if f.times--; f.times >= 0 {
		panic(fmt.Sprint("injected ", f.times))
	}
	return f.disk.Write(b)
}

// TestPanic has writing panic: the recording says that it is not whole, and is readable.
func TestPanic(t *testing.T) {
	d := &failing{times: 1}
	r := New(d, time.Now(), quiet, nil)
	r.Put(snapshot(10))
	r.Flush()
	r.Finish(true, "ended")
	if err := r.Close(); err == nil || !strings.Contains(err.Error(), "internal error: injected 0") {
		t.Errorf("closed with %v", err)
	}
	all := d.records(t)
	if end, ok := all[len(all)-1].(*trace.End); !ok || !end.Complete {
		t.Errorf("at the end: %+v", all[len(all)-1])
	}
}

// TestWatch: who watches is told of each record that is put from then on, of those that have no room, too.
func TestWatch(t *testing.T) {
	d := &disk{frozen: make(chan struct{})}
	r := New(d, time.Now(), quiet, nil)
	r.Put(snapshot(1))
	var seen [2]int
	for i := range seen {
		r.Watch(func(record trace.Record) { seen[i] += len(record.(*trace.Snapshot).Values) })
	}
	const many, times = 1 << 20, 10
	large := snapshot(many)
	for range times {
		r.Put(large)
	}
	if r.Dropped() == 0 || seen != [2]int{times * many, times * many} {
		t.Errorf("%d records are dropped; seen are %d values", r.Dropped(), seen)
	}
	close(d.frozen)
	r.Finish(true, "ended")
	r.Close()
	r.Put(snapshot(1))
	if seen[0] != times*many {
		t.Error("a record was seen behind the end")
	}
}

// TestSync: what was put before is in the file then. It is not where nothing can be written, where nobody waits any
// more, and at the end.
func TestSync(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "run.mallard"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	d := &disk{frozen: make(chan struct{})}
	f := &failing{times: 1}
	stop := make(chan struct{})
	start := func(w io.Writer) *Recording { return New(w, time.Now(), quiet, nil) }
	r, stalled, broken := start(file), start(d), start(f)
	opened, name, err := r.Open()
	if err != nil || name != file.Name() {
		t.Fatal(name, err)
	}
	defer opened.Close()
	if _, _, err := stalled.Open(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("what is no file is opened: %v", err)
	}
	reader := trace.NewTailReader(opened)
	for n := 1; n < 100; n++ {
		r.Put(snapshot(n))
		if !r.Sync(nil) {
			t.Fatal("not in the file")
		}
		record, err := reader.Next()
		for _, is := record.(*trace.Index); is && err == nil; _, is = record.(*trace.Index) {
			record, err = reader.Next()
		}
		if s, is := record.(*trace.Snapshot); err != nil || !is || len(s.Values) != n {
			t.Fatalf("%v, error %v in place of %d values", record, err, n)
		}
	}
	stalled.Put(snapshot(1))
	time.AfterFunc(10*time.Millisecond, func() { close(stop) })
	if stalled.Sync(stop) {
		t.Error("in the file, which takes nothing")
	}
	close(d.frozen)
	broken.Put(snapshot(1))
	if broken.Sync(nil) {
		t.Error("in the file, which is broken")
	}
	for _, r := range []*Recording{r, stalled, broken} {
		r.Finish(true, "ended")
		r.Close()
		if r.Sync(nil) {
			t.Error("in the file behind its end")
		}
	}
	kept := start(file)
	kept.Keep(file, time.Minute)
	if _, _, err := kept.Open(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("what gives up what is old is opened: %v", err)
	}
	kept.Finish(true, "ended")
	kept.Close()
}
