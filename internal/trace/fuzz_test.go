package trace

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzReader reads any bytes as a file. Whatever comes out can be written and
// read again.
func FuzzReader(f *testing.F) {
	f.Add(encode(f, 4, sample()...))
	f.Add(appendFileHeader(nil))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := NewReader(bytes.NewReader(file))
		if err != nil {
			if r != nil || !errors.Is(err, ErrNotRecording) && !errors.Is(err, ErrNewerVersion) {
				t.Fatalf("reader %v, error %v", r, err)
			}
			return
		}
		records := drain(t, r)
		for _, d := range r.Damage() {
			if d.Offset < 0 || d.Bytes < 0 || d.Offset+d.Bytes > int64(len(file)) || d.Error() == "" {
				t.Errorf("damage %+v in %d bytes", d, len(file))
			}
		}
		again, damage := decode(t, encode(t, 4, records...))
		records, again = withoutIndex(inFileOrder(4, records)), withoutIndex(again)
		if !cmp.Equal(records, again) || len(damage) > 0 {
			t.Errorf("damage %v, -first +second:\n%s", damage, cmp.Diff(records, again))
		}
	})
}

// FuzzPayload decodes any bytes as what is inside a block. There is one
// encoding of any records: what decodes is what encoding gives again.
func FuzzPayload(f *testing.F) {
	var all encoder
	for _, r := range sample() {
		var e encoder
		e.appendRecord(r)
		f.Add(e.b)
		all.appendRecord(r)
	}
	f.Add(all.b)
	f.Fuzz(func(t *testing.T, payload []byte) {
		if len(payload) > maxBlock {
			return
		}
		d := decoder{payload: payload}
		var e encoder
		good := 0
		for len(d.left()) > 0 {
			r, err := d.record()
			if err != nil {
				if r != nil {
					t.Errorf("record %v beside error %v", r, err)
				}
				break
			}
			good = len(payload) - len(d.left())
			e.appendRecord(r)
		}
		if e.err != nil || !bytes.Equal(e.b, payload[:good]) {
			t.Errorf("encode error %v\n%x became\n%x", e.err, payload[:good], e.b)
		}
	})
}

// FuzzText parses any text. What parses is written in one way.
func FuzzText(f *testing.F) {
	f.Add(string(textOf(sample())))
	for _, r := range sample() {
		f.Add(string(AppendText(nil, r)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		records, err := parseText([]byte(text))
		if err != nil {
			if err == io.ErrUnexpectedEOF || records != nil {
				t.Errorf("records %v, error %v", records, err)
			}
			return
		}
		written := textOf(records)
		again, err := parseText(written)
		if err != nil || !cmp.Equal(records, again) || !bytes.Equal(written, textOf(again)) {
			t.Errorf("error %v, -first +second:\n%s", err, cmp.Diff(records, again))
		}
		got, damage := decode(t, encode(t, 4, records...))
		if records, got = withoutIndex(inFileOrder(4, records)), withoutIndex(got); !cmp.Equal(records, got) ||
			len(damage) > 0 {
			t.Errorf("damage %v, -text +binary:\n%s", damage, cmp.Diff(records, got))
		}
	})
}
