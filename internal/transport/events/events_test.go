package events

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOrder has a producer write as fast as the reader reads: nothing is lost, and records wrap around at every offset.
func TestOrder(t *testing.T) {
	for _, most := range []int{9, 16, 200, MinRing / 4} {
		t.Run(strconv.Itoa(most), func(t *testing.T) {
			t.Parallel()
			m, file := newMemory(t, Ring{Bytes: MinRing})
			records := uint64(min(600_000, 100_000_000/(most+100)))
			s := &sequence{t: t, most: most}
			command := producer(t, file, nil, "lossless", fmt.Sprint(records), fmt.Sprint(most))
			if out, err := s.run(m, command); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if s.next != records || s.gaps != 0 {
				t.Errorf("%d records of %d, %d losses", s.next, records, s.gaps)
			}
			end, padding := layOutRecords(records, most)
			if m.rings[0].read != end {
				t.Errorf("%d bytes read, %d in the ring", m.rings[0].read, end)
			}
			if want := most / 8; most <= 500 && len(padding) < want {
				t.Errorf("padding of %d different sizes, want %d", len(padding), want)
			}
		})
	}
}

// layOutRecords says where the records end, and the sizes of padding before them.
func layOutRecords(records uint64, most int) (end uint64, padding map[uint64]int) {
	padding = map[uint64]int{}
	for n := range records {
		need, left := recordBytes(uint32(sizeOf(n, most))), MinRing-end%MinRing
		if need > left {
			padding[left]++
			end += left
		}
		end += need
	}
	return end, padding
}

// TestLosses has a producer write faster than the reader reads: what was produced is what was read and what is said
// to be lost, by kind and in its place.
func TestLosses(t *testing.T) {
	m, file := newMemory(t, Ring{Bytes: MinRing})
	const records, most = 1_000_000, 300
	s := &sequence{t: t, most: most}
	out, err := s.run(m, producer(t, file, nil, "lossy", fmt.Sprint(records), fmt.Sprint(most)))
	if err != nil {
		t.Fatal(err)
	}
	if s.gaps == 0 || s.read == (counts{}) {
		t.Fatalf("%d losses: nothing to test", s.gaps)
	}
	for line := range strings.Lines(out) {
		var kind Kind
		var produced uint64
		if _, err := fmt.Sscan(line, &kind, &produced); err != nil {
			t.Fatal(err)
		}
		if s.read[kind]+s.lost[kind] != produced {
			t.Errorf("kind %d: produced %d, read %d, lost %d", kind, produced, s.read[kind], s.lost[kind])
		}
	}
	if s.next != records {
		t.Errorf("%d records of %d", s.next, records)
	}
}

// TestKilled kills producers anywhere: all that was committed is there and whole, and what was left out before the
// end is counted.
func TestKilled(t *testing.T) {
	for name, lossless := range map[string]string{"with losses": "0", "without": "1"} {
		t.Run(name, func(t *testing.T) {
			for range 10 {
				m, file := newMemory(t, Ring{Bytes: MinRing})
				s := &sequence{t: t, most: 2000}
				command := producer(t, file, nil, "forever", lossless, "2000")
				kill := uint64(rand.IntN(3000)) + 1
				var seen atomic.Uint64
				handlers := s.handlers()
				for k, h := range handlers {
					handlers[k] = func(e Event) {
						h(e)
						if seen.Add(1) == kill {
							command.Process.Signal(syscall.SIGKILL)
						}
					}
				}
				// what it leaves out it counts faster than the race detector lets us count again
				loss := func(l Loss) {
					if s.loss(l); s.next > 5_000_000 {
						command.Process.Signal(syscall.SIGKILL)
					}
				}
				if err := command.Start(); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(context.Background())
				var reading sync.WaitGroup
				reading.Go(func() { NewReader(m, handlers, loss).Run(ctx) })
				command.Wait()
				committed := m.rings[0].committed()
				cancel()
				reading.Wait()
				if r := &m.rings[0]; r.damaged || r.read != committed {
					t.Fatalf("%d bytes were committed, %d read, damaged %v", committed, r.read, r.damaged)
				}
			}
		})
	}
}

// TestUncommitted has a producer that ends before it commits: what it wrote never was, unless it then left records
// out, whose count is of what comes behind.
func TestUncommitted(t *testing.T) {
	for _, records := range []uint64{5, 5000} {
		m, file := newMemory(t, Ring{Bytes: MinRing})
		s := &sequence{t: t, most: 100}
		if err := producer(t, file, nil, "uncommitted", fmt.Sprint(records), "100").Run(); err != nil {
			t.Fatal(err)
		}
		for _, l := range ends(m, s.handlers()) {
			s.loss(l)
		}
		if full := records > 5; full && s.next != records || !full && s.next != 0 || full != (s.gaps > 0) {
			t.Errorf("%d records, %d losses of %d records written", s.next, s.gaps, records)
		}
	}
}

// TestSanitizers runs producers with the compiler's sanitizers, and beside a reader in C, so that the thread
// sanitizer sees both sides.
func TestSanitizers(t *testing.T) {
	m, file := newMemory(t, Ring{Bytes: MinRing})
	s := &sequence{t: t, most: 3000}
	memorySanitizers := []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}
	out, err := s.run(m, producer(t, file, memorySanitizers, "lossy", "50000", "3000"))
	if err != nil || s.gaps == 0 {
		t.Errorf("%v, %d losses\n%s", err, s.gaps, out)
	}
	_, file = newMemory(t, Ring{Bytes: MinRing}, Ring{Bytes: 2 * MinRing})
	if err := producer(t, file, []string{"-fsanitize=thread"}, "threads").Run(); err != nil {
		t.Error(err)
	}
}

// TestLevels has collections with so many records, of 16 bytes each with their headers, spread over two rings.
func TestLevels(t *testing.T) {
	const half = 2 * MinRing / 2 / 16 // records that fill two rings by half
	m, file := newMemory(t, Ring{Bytes: MinRing, Levels: 3}, Ring{Bytes: MinRing, Levels: 3})
	var got []Loss
	r := NewReader(m, map[Kind]Handler{FirstKind: func(Event) {}}, func(l Loss) { got = append(got, l) })
	command := producer(t, file, nil, "levels")
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	levels := bufio.NewScanner(out)
	for _, step := range []struct {
		times   int
		read    bool // before the collection
		records int
		level   string // of the collection
	}{
		{1, false, half - 2, "0"},
		{1, false, 2, "0"},
		{1, false, 0, "1"}, // half full
		{2, false, 0, "2"}, // there are but three
		{1, false, 2 * half, "2"},
		{1, true, 2, "2"}, // records were left out since
		{calmCollections - 1, true, 2, "2"},
		{calmCollections, true, 2, "1"},
		{1, true, half / 2, "0"},
		{1, false, 0, "0"}, // a quarter is no reason
		{1, true, 2*half + 20, "0"},
		{1, true, 2, "1"},
	} {
		for range step.times {
			for step.read && r.round() {
			}
			fmt.Fprintln(in, step.records)
			if levels.Scan(); levels.Text() != step.level {
				t.Fatalf("%+v: level %q", step, levels.Text())
			}
		}
	}
	in.Close()
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
	r.finish()
	want := []Loss{
		{LevelThen: 0, Level: 1},
		{LevelThen: 1, Level: 2},
		{LevelThen: 2, Level: 2, Counts: []Count{{FirstKind, half/2 + 4}}}, // the records above take the room of four
		{Ring: 1, Counts: []Count{{FirstKind, half / 2}}},
		{LevelThen: 2, Level: 1},
		{LevelThen: 1, Level: 0},
		{Counts: []Count{{FirstKind, 10}}},
		{LevelThen: 0, Level: 1},
		{Ring: 1, Counts: []Count{{FirstKind, 10}}},
	}
	for i := range got {
		if got[i].From > got[i].To {
			t.Errorf("from %d to %d", got[i].From, got[i].To)
		}
		got[i].From, got[i].To = 0, 0
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
