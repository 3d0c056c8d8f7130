package heap

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// counting counts the bytes that are read.
type counting struct {
	io.ReaderAt
	n int64
}

func (c *counting) ReadAt(b []byte, offset int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, offset)
	c.n += int64(n)
	return n, err
}

// TestReadsLittle: what was in the heap at a time, or after a collection, is found by reading less than a tenth of a
// large recording, whether it has an index or was cut off, and is what a replay of all says.
func TestReadsLittle(t *testing.T) {
	const pauses = 60_000
	events := heaptest.Random(rand.New(rand.NewPCG(5, 6)), pauses)
	whole := NewHistory(events.All())
	file, err := heaptest.Keyframes(events, NewFollower(false))
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"whole": file, "cut off": file[:len(file)-100]} {
		t.Run(name, func(t *testing.T) {
			for _, pause := range []int{pauses / 7, pauses / 2, pauses / 8 * 7} {
				in := &counting{ReaderAt: bytes.NewReader(file)}
				opened, err := trace.OpenFile(in, int64(len(file)))
				if err != nil {
					t.Fatal(err)
				}
				at := whole.Pauses[pause].Start + time.Millisecond
				read := func(what string, reader *trace.FromReader, err error, enough func(*Reading) bool,
					find func(*History) (int, error)) {
					if err != nil {
						t.Fatal(err)
					}
					r := NewReading(reader.IsAtKeyframe())
					if _, err := profile.FoldNames(reader, 0, func() bool { return enough(r) }, r); err != nil {
						t.Fatal(err)
					}
					h := r.History()
					found, err := find(h)
					if err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					if h.Pauses[found].Number != int64(pause) {
						t.Fatalf("%s: pause %d, not %d", what, h.Pauses[found].Number, pause)
					}
					compareHeld(t, what, whole, pause, h, found)
					t.Logf("%s: %d of %d bytes", what, in.n, len(file))
					if in.n > int64(len(file))/10 {
						t.Errorf("%s: %d of %d bytes were read", what, in.n, len(file))
					}
					in.n = 0
				}
				reader, err := opened.From(int64(at))
				read(fmt.Sprint("at ", at), reader, err, func(r *Reading) bool { return r.HasAt(at) },
					func(h *History) (int, error) { return h.At(at) })
				collection := whole.Pauses[pause].Collection
				reader, err = opened.Last(func(r *trace.FromReader) bool { return BeginsBehind(r, collection) })
				read(fmt.Sprint("gc:", collection), reader, err,
					func(r *Reading) bool { return r.HasAfter(collection) },
					func(h *History) (int, error) { return h.After(collection) })
			}
		})
	}
}
