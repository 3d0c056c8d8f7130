package trace

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// long writes a recording in which a few definitions come now and then, and a keyframe every ten rounds; threads of
// many counters count on. It has an instant each second.
func long(t testing.TB, out io.Writer, rounds, counters int) {
	t.Helper()
	w := NewWriter(out)
	write := func(r Record) {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	write(&Process{PID: 1})
	for round := range rounds {
		now := int64(round) * 1e9
		if round%7 == 0 {
			id := ClassID(round / 7)
			write(&ClassDef{ID: id, Name: "demo/C" + strconv.Itoa(round), CounterBase: CounterID(round), Counters: 1})
		}
		keyframe := round%10 == 9
		if keyframe {
			write(&Keyframe{Nanos: now})
			write(&Thread{ID: 1, Name: "main"})
		}
		if s := randomSnapshot(counters); keyframe || round%2 == 0 {
			s.Nanos, s.Full = now, keyframe
			write(s)
		}
		write(&Mark{Nanos: now + 1})
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	write(&Loss{Kind: "test"})
	write(&End{Nanos: int64(rounds) * 1e9})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, file []byte) *File {
	t.Helper()
	f, err := OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

type next interface {
	Next() (Record, error)
}

func all(t testing.TB, r next) (records []Record) {
	t.Helper()
	for {
		record, err := r.Next()
		if err == io.EOF {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
}

// after is what a reader that begins at the n-th keyframe gets, by reading everything.
func after(records []Record, n int) (want []Record) {
	keyframes := 0
	for _, r := range records {
		if _, is := r.(*Keyframe); is {
			keyframes++
		}
		if keyframes >= n || layoutOf(r.kind()).traits().has(naming) {
			want = append(want, r)
		}
	}
	return want
}

// from reads a file from an instant on.
func from(t testing.TB, f *File, nanos int64) ([]Record, []*Damage) {
	t.Helper()
	r, err := f.From(nanos)
	if err != nil {
		t.Fatal(err)
	}
	return all(t, r), r.Damage()
}

// TestFrom begins at every keyframe, found by the index and without.
func TestFrom(t *testing.T) {
	var b bytes.Buffer
	long(t, &b, 50, 100)
	whole, _ := decode(t, b.Bytes())
	indexed := open(t, b.Bytes())
	if indexed.tail != nil {
		t.Fatal("no index")
	}
	scanned := open(t, b.Bytes())
	if err := scanned.scan(); err != nil {
		t.Fatal(err)
	}
	for second := range int64(50) {
		n := int(second+1) / 10
		for _, f := range []*File{indexed, scanned} {
			got, damage := from(t, f, second*1e9)
			if diff := cmp.Diff(after(whole, n), got); diff != "" || len(damage) > 0 {
				t.Fatalf("from second %d: damage %v, -want +got:\n%s", second, damage, diff)
			}
			if end, err := f.End(); end != 50e9 || err != nil {
				t.Errorf("end %d, %v", end, err)
			}
		}
	}
	r, err := indexed.From(20e9)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		r.Next()
	}
	r.Close()
	if rest := all(t, r); len(rest) != 2 || rest[0].kind() != kindLoss || rest[1].kind() != kindEnd {
		t.Errorf("after Close: %s", textOf(rest))
	}
}

// TestFromDamaged cuts a recording off everywhere, and spoils each byte: what is read from an instant on is what
// reading everything gives from there on, as far as neither says that something is damaged.
func TestFromDamaged(t *testing.T) {
	var b bytes.Buffer
	long(t, &b, 24, 3)
	check := func(file []byte, what string, at int) {
		r, err := NewReader(bytes.NewReader(file))
		if err != nil {
			return
		}
		whole := drain(t, r)
		f := open(t, file)
		got, damage := from(t, f, 21e9)
		n := 2
		for ; n > 0 && !cmp.Equal(after(whole, n), got); n-- {
		}
		if n == 0 && !cmp.Equal(whole, got) || len(r.Damage()) == 0 && len(damage) > 0 {
			t.Fatalf("%s at %d: damage %v and %v", what, at, r.Damage(), damage)
		}
	}
	for n := FileHeaderSize; n < b.Len(); n++ {
		check(b.Bytes()[:n], "cut", n)
	}
	for n := FileHeaderSize; n < b.Len(); n++ {
		file := bytes.Clone(b.Bytes())
		file[n] ^= 0x10
		check(file, "flipped", n)
	}
}

// TestLyingIndex replaces the index with others: nothing that is read depends on them.
func TestLyingIndex(t *testing.T) {
	var b bytes.Buffer
	long(t, &b, 30, 3)
	whole, _ := decode(t, b.Bytes())
	honest := open(t, b.Bytes())
	last, found := honest.lastBlock()
	if !found {
		t.Fatal("no index")
	}
	records, err := honest.records(last)
	if err != nil {
		t.Fatal(err)
	}
	first := honest.blocks
	h, err := honest.header(last)
	if err != nil {
		t.Fatal(err)
	}
	c := newCompressor(1)
	for name, lie := range map[string]func(blocks []IndexedBlock) *Index{
		"honest":        func(b []IndexedBlock) *Index { return &Index{Blocks: b} },
		"empty":         func([]IndexedBlock) *Index { return &Index{} },
		"half":          func(b []IndexedBlock) *Index { return &Index{Blocks: b[:len(b)/2]} },
		"other half":    func(b []IndexedBlock) *Index { return &Index{Blocks: b[len(b)/2:]} },
		"no definition": func(b []IndexedBlock) *Index { return &Index{Blocks: append(b[:1:1], b[2:]...)} },
		"twice":         func(b []IndexedBlock) *Index { return &Index{Blocks: append(b[:1:1], b...)} },
		"itself":        func(b []IndexedBlock) *Index { return &Index{Previous: uint64(last), Blocks: b} },
		"beyond":        func(b []IndexedBlock) *Index { return &Index{Previous: 1 << 60, Blocks: b} },
		"earlier":       func(b []IndexedBlock) *Index { b[len(b)-2].Nanos -= 5e9; return &Index{Blocks: b} },
		"no keyframe": func(b []IndexedBlock) *Index {
			for i := range b {
				b[i].Contents &^= BeginsKeyframe
			}
			return &Index{Blocks: b}
		},
		"other places": func(b []IndexedBlock) *Index {
			for i := range b {
				b[i].Offset++
			}
			return &Index{Blocks: b}
		},
	} {
		var e encoder
		e.appendRecord(lie(append([]IndexedBlock(nil), first...)))
		block := sealBlock(c, blockHeader{contents: HasIndex, first: h.first, records: 1}, e.b)
		file := append(bytes.Clone(b.Bytes()[:last]), block...)
		got, damage := from(t, open(t, file), 25e9)
		got = got[:len(got)-1] // the index
		before := whole[:len(whole)-len(records)]
		n := 2
		for n > 0 && !cmp.Equal(after(before, n), got) {
			n--
		}
		if n == 0 && !cmp.Equal(before, got) || len(damage) > 0 || name == "honest" && n != 2 {
			t.Errorf("%s: from keyframe %d, damage %v: %s", name, n, damage, textOf(got))
		}
	}
}

// TestOldFile reads a file of version 1 from an instant on: it has no keyframes.
func TestOldFile(t *testing.T) {
	file, err := os.ReadFile("testdata/v1.mallard")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := decode(t, file)
	got, damage := from(t, open(t, file), 1e18)
	if diff := cmp.Diff(want, got); diff != "" || len(damage) > 0 {
		t.Errorf("damage %v, -want +got:\n%s", damage, diff)
	}
}

// FuzzFile opens any bytes. Whatever an index in them says, From gives records and Damage.
func FuzzFile(f *testing.F) {
	var b bytes.Buffer
	long(f, &b, 22, 3)
	f.Add(b.Bytes(), int64(21e9))
	f.Add(encode(f, 4, sample()...), int64(0))
	f.Fuzz(func(t *testing.T, input []byte, nanos int64) {
		file := bytes.Clone(input)
		// let changed headers and payloads be taken for good
		for i := FileHeaderSize; i+blockHeaderSize <= len(file); i++ {
			if header := file[i : i+blockHeaderSize]; string(header[:4]) == blockMagic {
				stored := binary.LittleEndian.Uint32(header[24:])
				if uint64(stored) <= uint64(len(file)-i-blockHeaderSize) {
					binary.LittleEndian.PutUint32(header[28:], checksum(file[i+blockHeaderSize:][:stored]))
				}
				binary.LittleEndian.PutUint32(header[32:], checksum(header[:32]))
			}
		}
		opened, err := OpenFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		if _, err := opened.End(); err != nil {
			t.Error(err)
		}
		r, err := opened.From(nanos)
		if err != nil {
			t.Fatal(err)
		}
		n := len(all(t, r))
		r.Close()
		n += len(all(t, r))
		for _, d := range r.Damage() {
			if d.Offset < 0 || d.Bytes < 0 || d.Offset+d.Bytes > int64(len(file)) {
				t.Errorf("damage %+v in %d bytes, %d records", d, len(file), n)
			}
		}
	})
}
