package transport

import (
	"encoding/binary"
	"io"
	"testing"
)

func TestDecoder(t *testing.T) {
	b := binary.LittleEndian.AppendUint32(nil, 7)
	b = binary.LittleEndian.AppendUint64(b, 1<<40)
	b = binary.LittleEndian.AppendUint32(b, 2)
	b = append(b, "hi"...)
	b = binary.LittleEndian.AppendUint32(b, 0)
	p := &decoder{rest: b}
	if v := p.uint32(); v != 7 {
		t.Errorf("u32 %d", v)
	}
	if v := p.uint64(); v != 1<<40 {
		t.Errorf("u64 %d", v)
	}
	if s := string(p.bytes()); s != "hi" {
		t.Errorf("string %q", s)
	}
	if !p.more() {
		t.Error("no more, though an empty string is left")
	}
	if s := string(p.bytes()); s != "" || p.err != nil {
		t.Errorf("string %q (%v)", s, p.err)
	}
	if p.more() {
		t.Error("more, after the last field")
	}
	if v := p.uint32(); v != 0 || p.err != io.ErrUnexpectedEOF {
		t.Errorf("beyond the end: %d (%v)", v, p.err)
	}
}

// FuzzDecoder reads fields that the first bytes choose from the others. Whatever they are, nothing beyond the payload
// is read, and after the first missing field all are zero.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte{3, 0, 1, 2, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 'h', 'i'})
	f.Add([]byte{1, 2, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{2, 2, 2, 0xff, 0xff, 0xff, 0x7f, 1})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		n := min(int(b[0]), len(b)-1)
		fields, data := b[1:1+n], b[1+n:]
		p := &decoder{rest: data}
		used := 0
		for _, kind := range fields {
			failed := p.err != nil
			zero := false
			switch kind % 3 {
			case 0:
				zero = p.uint32() == 0
				used += 4
			case 1:
				zero = p.uint64() == 0
				used += 8
			case 2:
				s := string(p.bytes())
				zero = s == ""
				used += 4 + len(s)
			}
			if failed && !zero {
				t.Fatal("a field after the end")
			}
			if p.err == nil && used > len(data) {
				t.Fatalf("%d bytes read of %d", used, len(data))
			}
		}
		if p.err != nil && p.more() {
			t.Fatal("more after an error")
		}
	})
}
