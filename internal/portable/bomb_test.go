package portable_test

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// overlapping makes a jar that has its one file a thousand times, all in the same place.
func overlapping(t *testing.T, jar []byte) []byte {
	t.Helper()
	const times = 1000
	start := bytes.Index(jar, []byte("PK\x01\x02"))
	end := bytes.Index(jar, []byte("PK\x05\x06"))
	if start < 0 || end < 0 {
		t.Fatal("no jar")
	}
	directory := bytes.Repeat(jar[start:end], times)
	last := bytes.Clone(jar[end:])
	binary.LittleEndian.PutUint16(last[8:], times)
	binary.LittleEndian.PutUint16(last[10:], times)
	binary.LittleEndian.PutUint32(last[12:], uint32(len(directory)))
	return append(append(bytes.Clone(jar[:start]), directory...), last...)
}
