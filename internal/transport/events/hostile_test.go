package events

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// put does what the agent does, without any care.
func put(r *ring, at uint64, kind Kind, stamp uint16, size uint32, data string) (end uint64) {
	b := r.data[at%uint64(len(r.data)):]
	binary.LittleEndian.PutUint32(b, size)
	binary.LittleEndian.PutUint16(b[4:], uint16(kind))
	binary.LittleEndian.PutUint16(b[6:], stamp)
	copy(b[HeaderBytes:], data)
	end = at + recordBytes(size)
	atomic.StoreUint64(word(r.control, CommittedOffset), end)
	return end
}

// ends runs a reader over what is in the memory.
func ends(m *Memory, handlers map[Kind]Handler) (losses []Loss) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	NewReader(m, handlers, func(l Loss) { losses = append(losses, l) }).Run(ctx)
	return losses
}

func wholeMemory() *Memory {
	return layOut(make([]byte, 2*ControlBytes+MinRing), []Ring{{Bytes: MinRing}})
}

// TestDamaged has rings that no agent writes: what is before the damage is read, and the loss says what is wrong.
func TestDamaged(t *testing.T) {
	commit := func(r *ring, n uint64) { atomic.StoreUint64(word(r.control, CommittedOffset), n) }
	for _, test := range []struct {
		name   string
		damage func(r *ring, at uint64)
		want   string
	}{
		{"stamp", func(r *ring, at uint64) { put(r, at, FirstKind, stamp(at)+1, 8, "") }, "no record at 16"},
		{"nothing", func(r *ring, at uint64) { commit(r, at+64) }, "no record at 16"},
		{"kind", func(r *ring, at uint64) { put(r, at, Kinds, stamp(at), 8, "") }, "of kind 64"},
		{"padding", func(r *ring, at uint64) { put(r, at, Padding, stamp(at), 8, "") }, "padding of 16 bytes"},
		{"padding committed in part", func(r *ring, at uint64) {
			put(r, at, Padding, stamp(at), MinRing-24, "")
			commit(r, at+16)
		}, "padding of"},
		{"size", func(r *ring, at uint64) {
			put(r, at, FirstKind, stamp(at), MinRing/4+1, "")
		}, "record of 16385 bytes"},
		{"largest size", func(r *ring, at uint64) {
			put(r, at, FirstKind, stamp(at), ^uint32(0), "")
			commit(r, at+64)
		}, "record of 4294967295 bytes"},
		{"beyond the end", func(r *ring, at uint64) {
			for at < MinRing-32 {
				at = put(r, at, FirstKind, stamp(at), 8, "")
			}
			put(r, at, FirstKind, stamp(at), 40, "")
			commit(r, MinRing)
		}, "record of 40 bytes"},
		{"not whole", func(r *ring, at uint64) {
			put(r, at, FirstKind, stamp(at), 100, "")
			commit(r, at+16)
		}, "not whole"},
		{"half a header", func(r *ring, at uint64) { commit(r, at+4) }, "not whole"},
		{"more than there is", func(r *ring, at uint64) { commit(r, at+MinRing+1) }, "are unread"},
		{"less than was read", func(r *ring, at uint64) {
			r.read = at
			commit(r, at-8)
		}, "-8 bytes are unread"},
		{"loss", func(r *ring, at uint64) { put(r, at, LossKind, stamp(at), 25, "") }, "record of a loss"},
		{"loss of a kind that is none", func(r *ring, at uint64) {
			put(r, at, LossKind, stamp(at), 40, strings.Repeat("\x40", 40))
		}, "record of a loss"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := wholeMemory()
			r := &m.rings[0]
			at := put(r, 0, FirstKind, stamp(0), 8, "contents")
			test.damage(r, at)
			losses := ends(m, nil)
			if len(losses) == 0 || !strings.Contains(losses[0].Reason, test.want) || !r.damaged {
				t.Errorf("losses %v, want %q", losses, test.want)
			}
		})
	}
}

// TestHandlers has a handler that panics, and a kind that nobody takes: the others get their records, and the losses
// say how many had none.
func TestHandlers(t *testing.T) {
	m := wholeMemory()
	at := uint64(0)
	for i := range 30 {
		at = put(&m.rings[0], at, FirstKind+Kind(i%3), stamp(at), 3, "abc")
	}
	taken, panics := 0, 0
	losses := ends(m, map[Kind]Handler{
		FirstKind: func(e Event) {
			if string(e.Data) == "abc" && cap(e.Data) == 3 {
				taken++
			}
		},
		FirstKind + 1: func(Event) {
			panics++
			panic("of the test")
		},
	})
	got := counts{}
	for _, l := range losses {
		for _, c := range l.Counts {
			got[c.Kind] += c.Records
		}
	}
	want := counts{FirstKind + 1: 10, FirstKind + 2: 10}
	if taken != 10 || panics != 1 || got != want || !strings.Contains(losses[0].Reason, "of the test") {
		t.Errorf("%d taken, %d panics, losses %v", taken, panics, losses)
	}
}

// TestNewMemory refuses files whose size somebody else could change, and rings of odd sizes.
func TestNewMemory(t *testing.T) {
	ordinary, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer ordinary.Close()
	fd, err := unix.MemfdCreate("events", unix.MFD_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	unsealable := os.NewFile(uintptr(fd), "events")
	defer unsealable.Close()
	good := []Ring{{Bytes: MinRing}}
	for name, test := range map[string]struct {
		file  *os.File
		rings []Ring
	}{
		"no memory":   {ordinary, good},
		"unsealable":  {unsealable, good},
		"no rings":    {ordinary, nil},
		"many rings":  {ordinary, make([]Ring, MaxRings+1)},
		"small ring":  {ordinary, []Ring{{Bytes: MinRing / 2}}},
		"large ring":  {ordinary, []Ring{{Bytes: 2 * MaxRing}}},
		"uneven ring": {ordinary, []Ring{{Bytes: 3 * MinRing}}},
	} {
		if m, err := NewMemory(test.file, test.rings); err == nil || m != nil {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	_, file := newMemory(t, good...)
	if err := file.Truncate(0); err == nil {
		t.Error("the memory can be cut off")
	}
}

// FuzzRing reads memory that anybody wrote: all there is is bounded by what was committed.
func FuzzRing(f *testing.F) {
	m := wholeMemory()
	at := put(&m.rings[0], 0, FirstKind, stamp(0), 5, "hello")
	at = put(&m.rings[0], at, LossKind, stamp(at), 40, strings.Repeat("\x00", 40))
	f.Add(bytes.Clone(m.rings[0].data[:at]), at, uint64(0))
	end := put(&m.rings[0], MinRing-64, Padding, stamp(MinRing-64), 56, "")
	f.Add(m.rings[0].data[MinRing-64:], end, uint64(MinRing-64))
	f.Fuzz(func(t *testing.T, data []byte, committed, read uint64) {
		m := wholeMemory()
		r := &m.rings[0]
		r.read = read
		at := read % MinRing
		copy(r.data, data[copy(r.data[at:], data):])
		atomic.StoreUint64(word(r.control, CommittedOffset), committed)
		var taken uint64
		ends(m, map[Kind]Handler{FirstKind: func(e Event) { taken += recordBytes(uint32(len(e.Data))) }})
		if left := committed - read; taken > left || !r.damaged && r.read != committed {
			t.Errorf("%d bytes taken of %d, read %d, damaged %v", taken, left, r.read, r.damaged)
		}
	})
}
