package classfile

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// Modified UTF-8 (JVMS 4.4.7) encodes the UTF-16 units of a Java string, each
// on its own, in one to three bytes; U+0000 takes two. So a character beyond
// U+FFFF is a pair of surrogates of three bytes each, and a lone surrogate,
// which a Java string may contain but a Go string cannot, is three bytes too.

var errModifiedUTF8 = errors.New("classfile: malformed modified UTF-8")

// DecodeModifiedUTF8 returns what a Utf8 constant says as a Go string. Lone
// surrogates become U+FFFD; everything else survives EncodeModifiedUTF8.
func DecodeModifiedUTF8(s string) (string, error) {
	if isASCII(s) {
		return s, nil
	}
	var out strings.Builder
	for len(s) > 0 {
		r, n := decodeRune(s)
		if n == 0 {
			return "", errModifiedUTF8
		}
		out.WriteRune(r)
		s = s[n:]
	}
	return out.String(), nil
}

// Display is DecodeModifiedUTF8 for messages and reports: each byte that is
// malformed becomes U+FFFD.
func Display(s string) string {
	if isASCII(s) {
		return s
	}
	var out strings.Builder
	for len(s) > 0 {
		r, n := decodeRune(s)
		out.WriteRune(r)
		s = s[max(n, 1):]
	}
	return out.String()
}

// EncodeModifiedUTF8 returns a Go string in modified UTF-8. What is not valid
// UTF-8 becomes U+FFFD.
func EncodeModifiedUTF8(s string) string {
	if isASCII(s) {
		return s
	}
	out := make([]byte, 0, len(s)+len(s)/2)
	for _, r := range s {
		switch {
		case r == 0:
			out = append(out, 0xC0, 0x80)
		case r > 0xFFFF:
			r -= 0x10000
			out = appendUnit(out, surrogateHigh+r>>10)
			out = appendUnit(out, surrogateLow+r&0x3FF)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}

// isASCII reports whether s is the same in UTF-8 and in modified UTF-8, because
// it is ASCII without NUL.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i]-1 >= 0x7F {
			return false
		}
	}
	return true
}

const (
	surrogateHigh = 0xD800 // the first unit of a pair: up to surrogateLow
	surrogateLow  = 0xDC00 // the second unit: up to surrogateEnd
	surrogateEnd  = 0xE000
)

// decodeRune returns the first character of s, which is not empty, and its
// length: U+FFFD and 3 for a lone surrogate, U+FFFD and 0 if s is malformed.
func decodeRune(s string) (rune, int) {
	unit, n := decodeUnit(s)
	if n == 0 || unit < surrogateHigh || unit >= surrogateEnd {
		return unit, n
	}
	if unit < surrogateLow {
		low, m := decodeUnit(s[n:])
		if m == 3 && low >= surrogateLow && low < surrogateEnd {
			return 0x10000 + (unit-surrogateHigh)<<10 + (low - surrogateLow), n + m
		}
	}
	return utf8.RuneError, n
}

// decodeUnit returns the first UTF-16 unit of s and its length, U+FFFD and 0 if
// s is empty or malformed. Forms longer than needed are malformed, but for U+0000.
func decodeUnit(s string) (rune, int) {
	at := func(i int) rune { // the payload of a continuation byte, -1 if it is none
		if i < len(s) && s[i]&0xC0 == 0x80 {
			return rune(s[i] & 0x3F)
		}
		return -1
	}
	if s == "" || s[0] == 0 {
		return utf8.RuneError, 0
	}
	b := rune(s[0])
	switch {
	case b < 0x80:
		return b, 1
	case b&0xE0 == 0xC0:
		x := at(1)
		if r := b&0x1F<<6 | x; x >= 0 && (r == 0 || r >= 0x80) {
			return r, 2
		}
	case b&0xF0 == 0xE0:
		x, y := at(1), at(2)
		if r := b&0x0F<<12 | x<<6 | y; x >= 0 && y >= 0 && r >= 0x800 {
			return r, 3
		}
	}
	return utf8.RuneError, 0
}

// appendUnit appends a UTF-16 unit from 0x800 on.
func appendUnit(out []byte, u rune) []byte {
	return append(out, 0xE0|byte(u>>12), 0x80|byte(u>>6&0x3F), 0x80|byte(u&0x3F))
}
