package jfr

import "strings"

// Values are the fields of an event, or of a value in a constant pool, in the order of their type's.
type Values struct{ b []byte }

// Reset makes v empty.
func (v *Values) Reset() { v.b = v.b[:0] }

// Int adds an int, a long, or the key of a value in a constant pool.
func (v *Values) Int(n int64) { v.b = appendInt(v.b, n) }

// Bool adds a boolean.
func (v *Values) Bool(is bool) {
	if is {
		v.b = append(v.b, 1)
	} else {
		v.b = append(v.b, 0)
	}
}

// Encodings of strings.
const (
	emptyString = 1
	utf8String  = 3
)

// String adds a string.
func (v *Values) String(s string) { v.b = appendString(v.b, s) }

func appendInt(b []byte, n int64) []byte {
	u := uint64(n)
	for range 8 {
		if u < 0x80 {
			return append(b, byte(u))
		}
		b = append(b, byte(u)|0x80)
		u >>= 7
	}
	return append(b, byte(u))
}

func appendString(b []byte, s string) []byte {
	if s == "" {
		return append(b, emptyString)
	}
	s = strings.ToValidUTF8(s, "\ufffd")
	b = append(b, utf8String)
	b = appendInt(b, int64(len(s)))
	return append(b, s...)
}

// appendEvent adds an event, whose size has the bytes of the size itself.
func appendEvent(b, body []byte) []byte {
	size := 1
	for len(appendInt(nil, int64(len(body)+size))) > size {
		size++
	}
	b = appendInt(b, int64(len(body)+size))
	return append(b, body...)
}
