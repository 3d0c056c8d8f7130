package classfile

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// Inputs of the items that are largest in memory for their size in the file,
// and inputs that promise more items than they hold.
func TestMemoryIsBounded(t *testing.T) {
	repeat := func(prefix, item string, n int) []byte {
		return append(unhex(t, prefix), bytes.Repeat(unhex(t, item), n)...)
	}
	for _, row := range []struct {
		name string
		info []byte
	}{
		{AttrStackMapTable, repeat("ffff", "00", 65535)},
		{AttrStackMapTable, repeat("0001 ff 0000 ffff", "00", 65535+2)},
		{AttrStackMapTable, repeat("", "ff", 65535)},
		{AttrRuntimeVisibleAnnotations, repeat("ffff", "0001 0000", 65535)},
		{AttrRuntimeVisibleAnnotations, repeat("0001 0001 ffff", "0001 49 0001", 65535)},
		{AttrRuntimeVisibleAnnotations, repeat("0001 0001 ffff", "0001 40 0001 0000", 65535)},
		{AttrRuntimeVisibleAnnotations, repeat("", "ff", 65535)},
		{AttrRuntimeVisibleTypeAnnotations, repeat("ffff", "13 00 0001 0000", 65535)},
		{AttrRuntimeVisibleParameterAnnotations, repeat("ff", "0000", 255)},
		{AttrAnnotationDefault, repeat("5b ffff", "5b 0000", 65535)},
		{AttrModule, repeat("0001 0000 0000 0000 ffff", "0001 0000 0000", 65535)},
		{AttrRecord, repeat("ffff", "0001 0002 0000", 65535)},
		{AttrBootstrapMethods, repeat("ffff", "0001 0000", 65535)},
		{AttrCode, repeat("0000 0000 00000001 00 0000 ffff", "0001 00000000", 65535)},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := allocated(func() { definitions[row.name].decode(row.info) })
			if limit := uint64(MaxExpansion*len(row.info) + 4096); got > limit {
				t.Errorf("decoding %d bytes took %d bytes, over %d", len(row.info), got, limit)
			}
		})
	}
	header := "cafebabe 0000 0034 0001 0000 0000 0000 0000 "
	for _, b := range [][]byte{
		repeat(header+"ffff", "0000 0000 0000 0000", 65535),
		repeat(header+"ffff", "0000 0000 0000 0001 0000 00000000", 65535),
		repeat(header+"0000 0000 ffff", "0000 00000000", 65535),
		repeat(header, "ff", 65535),
		repeat("cafebabe 0000 0034 ffff", "01 0000", 65534),
		repeat("cafebabe 0000 0034 ffff", "06 0000000000000000", 100),
	} {
		got := allocated(func() { Parse(b) })
		if limit := uint64(MaxExpansion*len(b) + 4096); got > limit {
			t.Errorf("parsing %d bytes took %d bytes, over %d", len(b), got, limit)
		}
	}
}

// allocated returns how many bytes work allocates.
func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A pool of equal constants, or of long ones, must not make the index slow: it
// would take minutes if it compared each with each.
func TestIndexOfHostilePool(t *testing.T) {
	for _, s := range []string{"", strings.Repeat("x", 100)} {
		p := NewPool()
		for range MaxPoolCount - 1 {
			if _, err := p.Append(Entry{Tag: TagUtf8, Utf8: s}); err != nil {
				t.Fatal(err)
			}
		}
		b, err := (&Class{Major: MaxMajor, Pool: p}).AppendTo(nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		if i, err := c.Pool.AddUtf8(s); i != 1 || err != nil {
			t.Errorf("constant %d, error %v", i, err)
		}
	}
}
