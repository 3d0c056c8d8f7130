package single

import "encoding/binary"

// values are numbers in LEB128.
type values struct {
	rest []byte
	bad  bool // one was missing, or too large
}

// next gives the next one, most of which have one byte. What it gives behind a bad one means nothing.
func (v *values) next(most uint64) uint64 {
	if len(v.rest) > 0 && v.rest[0] < 0x80 && uint64(v.rest[0]) <= most {
		n := v.rest[0]
		v.rest = v.rest[1:]
		return uint64(n)
	}
	return v.long(most)
}

func (v *values) long(most uint64) uint64 {
	n, length := binary.Uvarint(v.rest)
	if v.bad = v.bad || length <= 0 || n > most; v.bad {
		return 0
	}
	v.rest = v.rest[length:]
	return n
}
