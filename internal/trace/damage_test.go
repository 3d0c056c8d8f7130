package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// missing checks that got is want with some records left out, and returns how
// many.
func missing(t *testing.T, want, got []Record) int64 {
	t.Helper()
	next := 0
	for _, g := range got {
		for next < len(want) && !cmp.Equal(want[next], g) {
			next++
		}
		if next == len(want) {
			t.Fatalf("record was never written: %s", AppendText(nil, g))
		}
		next++
	}
	return int64(len(want) - len(got))
}

// lost adds up what damage reports, -1 if it is not known.
func lost(damage []*Damage) int64 {
	var sum int64
	for _, d := range damage {
		if d.Records < 0 {
			return -1
		}
		sum += d.Records
	}
	return sum
}

func TestTruncation(t *testing.T) {
	want := inOrder()
	file := encode(t, 2, want...)
	ends := blockEnds(t, file)
	for n := range len(file) {
		r, err := NewReader(bytes.NewReader(file[:n]))
		if n < FileHeaderSize {
			if !errors.Is(err, ErrNotRecording) {
				t.Fatalf("%d bytes: error %v", n, err)
			}
			continue
		} else if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		got := drain(t, r)
		missing(t, want[:len(got)], got)
		whole, last := 0, FileHeaderSize
		for _, end := range ends {
			if end <= n {
				whole, last = whole+2, end
			}
		}
		if len(got) != min(whole, len(want)) {
			t.Fatalf("%d bytes: %d records of %d", n, len(got), whole)
		}
		damage := r.Damage()
		if n == last {
			if len(damage) != 0 {
				t.Fatalf("%d bytes: cut between blocks, but %v", n, damage)
			}
			continue
		}
		if len(damage) != 1 || damage[0].Offset != int64(last) || damage[0].Bytes != int64(n-last) {
			t.Fatalf("%d bytes: last block ends at %d, but damage is %v", n, last, damage)
		}
		if headerWhole := n >= last+blockHeaderSize; headerWhole != (damage[0].Records > 0) {
			t.Fatalf("%d bytes: last block ends at %d, but damage is %v", n, last, damage)
		}
	}
}

// blockEnds returns the offsets where the blocks of an intact file end.
func blockEnds(t *testing.T, file []byte) (ends []int) {
	t.Helper()
	for at := FileHeaderSize; at < len(file); {
		h, err := parseBlockHeader(file[at:])
		if err != nil {
			t.Fatal(err)
		}
		at += blockHeaderSize + int(h.stored)
		ends = append(ends, at)
	}
	return ends
}

func TestBitFlips(t *testing.T) {
	want := inOrder()
	file := encode(t, 3, want...)
	lastBlock := 0
	for _, end := range blockEnds(t, file) {
		if end < len(file) {
			lastBlock = end
		}
	}
	for bit := range 8 * len(file) {
		flipped := bytes.Clone(file)
		flipped[bit/8] ^= 1 << (bit % 8)
		r, err := NewReader(bytes.NewReader(flipped))
		if err != nil {
			t.Fatalf("bit %d: %v", bit, err)
		}
		gone := missing(t, want, drain(t, r))
		damage := r.Damage()
		if len(damage) != 1 {
			t.Fatalf("bit %d: damage %v", bit, damage)
		}
		if offset := int64(bit / 8); offset < damage[0].Offset || offset >= damage[0].Offset+damage[0].Bytes {
			t.Fatalf("bit %d: not within %v", bit, damage)
		}
		inLastHeader := bit/8 >= lastBlock && bit/8 < lastBlock+blockHeaderSize
		if reported := lost(damage); reported != gone && !(inLastHeader && reported == -1) {
			t.Fatalf("bit %d: %d records lost, reported %d", bit, gone, reported)
		}
		if gone > 3 {
			t.Fatalf("bit %d: %d records lost", bit, gone)
		}
	}
}

func TestGarbageBetweenBlocks(t *testing.T) {
	want := inOrder()
	file := encode(t, 5, want...)
	at := blockEnds(t, file)[0]
	for _, garbage := range []string{
		"x", blockMagic, blockMagic + blockMagic, strings.Repeat("long ", 100_000),
		string(file[:at]), string(file[FileHeaderSize : at-1]), string(file[at : at+blockHeaderSize+1]),
	} {
		spoilt := append(append(bytes.Clone(file[:at]), garbage...), file[at:]...)
		got, damage := decode(t, spoilt)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if len(damage) != 1 || damage[0].Offset != int64(at) || damage[0].Bytes != int64(len(garbage)) ||
			damage[0].Records != 0 {
			t.Errorf("%d bytes of garbage at %d: damage %v", len(garbage), at, damage)
		}
	}
}

func TestMissingBlock(t *testing.T) {
	file := encode(t, 5, inOrder()...)
	ends := blockEnds(t, file)
	_, damage := decode(t, append(bytes.Clone(file[:ends[0]]), file[ends[1]:]...))
	if len(damage) != 1 || damage[0].Bytes != 0 || damage[0].Records != 5 {
		t.Errorf("damage %v", damage)
	}
	var asDamage *Damage
	if !errors.As(error(damage[0]), &asDamage) || !strings.Contains(asDamage.Error(), "5 records lost") {
		t.Errorf("error %v", damage[0])
	}
}

func TestDamageInManyPlaces(t *testing.T) {
	const blocks = 3 * maxDamage
	file := appendFileHeader(nil)
	var e encoder
	e.appendRecord(&Mark{})
	c := newCompressor(1)
	for i := range uint64(blocks) {
		block := sealBlock(c, blockHeader{first: i, records: 1}, e.b)
		block[blockHeaderSize] ^= byte(1 - i&1)
		file = append(file, block...)
	}
	records, damage := decode(t, file)
	if len(records) != blocks/2 || len(damage) != maxDamage || lost(damage) != blocks/2 {
		t.Errorf("%d records, %d ranges of damage, %d lost", len(records), len(damage), lost(damage))
	}
}

func TestNotRecording(t *testing.T) {
	for _, file := range []string{"", "\x89MALL", "PK\x03\x04", strings.Repeat("some text\n", 100),
		strings.Repeat("\x00", 1000)} {
		if _, err := NewReader(strings.NewReader(file)); !errors.Is(err, ErrNotRecording) {
			t.Errorf("%.10q: error %v", file, err)
		}
	}
}

func TestNewerVersion(t *testing.T) {
	file := encode(t, 5, inOrder()...)
	binary.LittleEndian.PutUint16(file[8:], 7)
	binary.LittleEndian.PutUint32(file[12:], checksum(file[:12]))
	_, err := NewReader(bytes.NewReader(file))
	if !errors.Is(err, ErrNewerVersion) || !strings.Contains(err.Error(), "version 7") ||
		!strings.Contains(err.Error(), fmt.Sprint("up to ", Version)) {
		t.Errorf("error %v", err)
	}
}

// TestCraftedBlocks feeds blocks whose checksums are right and whose contents
// are not.
func TestCraftedBlocks(t *testing.T) {
	c := newCompressor(1)
	payload := func(r ...Record) []byte {
		var e encoder
		for _, r := range r {
			e.appendRecord(r)
		}
		return e.b
	}
	mark := payload(&Mark{Nanos: 1})
	plain := func(h blockHeader, stored []byte) []byte {
		h.stored, h.sum = uint32(len(stored)), checksum(stored)
		return append(h.appendTo(nil), stored...)
	}
	for name, test := range map[string]struct {
		block   []byte
		records int   // read nevertheless
		lost    int64 // reported
	}{
		"too few records":  {sealBlock(c, blockHeader{records: 3}, append(bytes.Clone(mark), mark...)), 2, 1},
		"too many records": {sealBlock(c, blockHeader{records: 1}, append(bytes.Clone(mark), mark...)), 1, 0},
		"unknown kind":     {sealBlock(c, blockHeader{records: 2}, append(bytes.Clone(mark), 99, 0)), 1, 1},
		"huge kind":        {sealBlock(c, blockHeader{records: 1}, []byte{0xff, 0xff, 0x03}), 0, 1},
		"long list": {sealBlock(c, blockHeader{records: 1}, []byte{byte(kindSnapshot), 0, 0, 0xff, 0xff, 0x03}),
			0, 1},
		"no zstd": {plain(blockHeader{storage: storedZstd, records: 1, size: 100}, mark), 0, 1},
		"wrong size": {plain(blockHeader{storage: storedZstd, records: 1, size: 1 << 20},
			c.EncodeAll(make([]byte, 1000), nil)), 0, 1},
		"bomb": {plain(blockHeader{storage: storedZstd, records: 1, size: maxBlock},
			c.EncodeAll(make([]byte, 4*maxBlock), nil)), 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			end := sealBlock(c, blockHeader{contents: Summaries, first: 3, records: 1}, payload(&End{}))
			got, damage := decode(t, append(append(appendFileHeader(nil), test.block...), end...))
			if len(got) != test.records+1 {
				t.Errorf("%d records", len(got))
			}
			if len(damage) == 0 || damage[0].Records != test.lost || damage[0].Bytes != int64(len(test.block)) {
				t.Errorf("damage %v", damage)
			}
		})
	}
}

// TestRescanIsBounded has a header every few bytes, each of which claims a
// large payload.
func TestRescanIsBounded(t *testing.T) {
	h := blockHeader{records: 1, size: maxBlock, stored: maxBlock}
	file := append(appendFileHeader(nil), bytes.Repeat(h.appendTo(nil), 2*maxBlock/blockHeaderSize)...)
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	drain(t, r)
	if limit := int64(2*maxBlock + rescanFactor*len(file)); r.wasted > limit {
		t.Errorf("checksummed %d bytes in vain, want at most %d", r.wasted, limit)
	}
}

func TestReadError(t *testing.T) {
	file := encode(t, 5, inOrder()...)
	broken := errors.New("broken")
	r, err := NewReader(io.MultiReader(bytes.NewReader(file[:len(file)-3]), errorReader{broken}))
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

// TestTail reads a recording that grows byte by byte.
func TestTail(t *testing.T) {
	file := encode(t, 2, inOrder()...)
	var grown bytes.Buffer
	r := NewTailReader(&grown)
	var got []Record
	for _, b := range file {
		grown.WriteByte(b)
		got = append(got, drain(t, r)...)
	}
	if diff := cmp.Diff(inOrder(), got); diff != "" || len(r.Damage()) > 0 {
		t.Errorf("damage %v, -want +got:\n%s", r.Damage(), diff)
	}
}
