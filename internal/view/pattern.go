package view

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"
)

// mostPattern bounds what is searched for, bytes.
const mostPattern = 1000

// ErrPattern is what is returned for what is no pattern.
var ErrPattern = errors.New("view: not a pattern")

// A pattern is what names are searched by, by one goroutine: a part of a name, or a /pattern/; either in any case.
type pattern struct {
	part       []byte // in lower case
	expression *regexp.Regexp
	name       []byte // that was looked at last, in lower case: there may be a million
}

// newPattern's error is ErrPattern.
func newPattern(text string) (*pattern, error) {
	if len(text) > mostPattern {
		return nil, ErrPattern
	}
	if expression, is := strings.CutPrefix(text, "/"); is && expression != "" {
		compiled, err := regexp.Compile("(?i)" + strings.TrimSuffix(expression, "/"))
		if err != nil {
			return nil, ErrPattern
		}
		return &pattern{expression: compiled}, nil
	}
	return &pattern{part: []byte(strings.ToLower(text))}, nil
}

// clone is the same pattern, for another goroutine.
func (p *pattern) clone() *pattern { return &pattern{part: p.part, expression: p.expression} }

func (p *pattern) matches(name string) bool {
	if p.expression != nil {
		return p.expression.MatchString(name)
	}
	p.name = appendLower(p.name[:0], name)
	return bytes.Contains(p.name, p.part)
}

// matchesEnd reports whether a name matches of which a part in front does not: then what matches is at its end.
func (p *pattern) matchesEnd(front, rest string) bool {
	if p.expression != nil {
		return p.expression.MatchString(front + rest)
	}
	const longer = 3 // times as many bytes may a letter have that is not in lower case: the kelvin sign
	end := front[max(0, len(front)-longer*len(p.part)-utf8.UTFMax):]
	p.name = appendLower(appendLower(p.name[:0], end), rest)
	return bytes.Contains(p.name, p.part)
}

// appendLower appends a name in lower case.
func appendLower(dst []byte, name string) []byte {
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf {
			return append(dst[:len(dst)-i], strings.ToLower(name)...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}
