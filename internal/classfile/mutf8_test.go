package classfile

import "testing"

func TestModifiedUTF8(t *testing.T) {
	for _, row := range []struct{ modified, text string }{
		{"", ""},
		{"java/lang/String", "java/lang/String"},
		{"\xC0\x80", "\x00"},
		{"a\xC0\x80b\x7F", "a\x00b\x7F"},
		{"\xC3\xA4\xDF\xBF\xE0\xA0\x80", "ä\u07FF\u0800"},
		{"\xE2\x82\xAC\xEF\xBF\xBF", "€\uFFFF"},
		{"\xED\xA0\x80\xED\xB0\x80", "\U00010000"},
		{"\xED\xA0\xBD\xED\xB8\x80!", "😀!"},
		{"\xED\xAF\xBF\xED\xBF\xBF", "\U0010FFFF"},
	} {
		if got, err := DecodeModifiedUTF8(row.modified); got != row.text || err != nil {
			t.Errorf("decoding %q: %q, error %v, want %q", row.modified, got, err, row.text)
		}
		if got := Display(row.modified); got != row.text {
			t.Errorf("displaying %q: %q, want %q", row.modified, got, row.text)
		}
		if got := EncodeModifiedUTF8(row.text); got != row.modified {
			t.Errorf("encoding %q: %q, want %q", row.text, got, row.modified)
		}
	}
}

func TestModifiedUTF8WithoutGoString(t *testing.T) {
	for modified, want := range map[string]string{
		"\xED\xA0\x80":                       "\uFFFD",         // a first surrogate
		"\xED\xB0\x80x":                      "\uFFFDx",        // a second one
		"\xED\xB0\x80\xED\xA0\x80":           "\uFFFD\uFFFD",   // both, in the wrong order
		"\xED\xA0\xBD\xED\xA0\xBDab":         "\uFFFD\uFFFDab", // two first ones
		"\xED\xA0\xBD\xED\xA0\xBDab\xC0\x80": "\uFFFD\uFFFDab\x00",
	} {
		if got, err := DecodeModifiedUTF8(modified); got != want || err != nil {
			t.Errorf("decoding %q: %q, error %v, want %q", modified, got, err, want)
		}
	}
}

func TestMalformedModifiedUTF8(t *testing.T) {
	for modified, want := range map[string]string{
		"a\x00b":           "a\uFFFDb",
		"\x80":             "\uFFFD",
		"\xC3":             "\uFFFD",
		"\xC3x":            "\uFFFDx",
		"\xC1\xBF":         "\uFFFD\uFFFD", // two bytes where one would do
		"\xE0\x9F\xBF":     "\uFFFD\uFFFD\uFFFD",
		"\xE2\x82":         "\uFFFD\uFFFD",
		"\xF0\x9F\x98\x80": "\uFFFD\uFFFD\uFFFD\uFFFD", // UTF-8 of four bytes
		"\xED\xA0\x80\xFF": "\uFFFD\uFFFD",
	} {
		if got, err := DecodeModifiedUTF8(modified); err == nil || got != "" {
			t.Errorf("decoding %q: %q, error %v", modified, got, err)
		}
		if got := Display(modified); got != want {
			t.Errorf("displaying %q: %q, want %q", modified, got, want)
		}
	}
}
