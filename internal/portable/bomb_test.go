package portable_test

import (
	"encoding/binary"
	"strings"
	"testing"
)

// overlapping makes a jar that has its one file a thousand times, all in the same place.
func overlapping(t *testing.T, jar string) string {
	t.Helper()
	const times = 1000
	start := strings.Index(jar, "PK\x01\x02")
	end := strings.Index(jar, "PK\x05\x06")
	if start < 0 || end < 0 {
		t.Fatal("no jar")
	}
	directory := strings.Repeat(jar[start:end], times)
	last := []byte(jar[end:])
	binary.LittleEndian.PutUint16(last[8:], times)
	binary.LittleEndian.PutUint16(last[10:], times)
	binary.LittleEndian.PutUint32(last[12:], uint32(len(directory)))
	return jar[:start] + directory + string(last)
}
