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

// Found gives how much is in or below methods and classes whose names match, objects and bytes. Its error is
// ErrPattern.
func (r *Recording) Found(q Query, text string) (found [2]int64, err error) {
	p, err := newPattern(text)
	if err != nil {
		return found, err
	}
	methods, classes := make([]bool, len(r.named)), make([]bool, len(r.types))
	for i, named := range r.named {
		if methods[i] = methods[named]; named == int32(i) {
			methods[i] = p.matches(r.Profile.Methods[i].Title())
		}
	}
	for i := range r.types {
		classes[i] = p.matches(r.types[i])
	}
	s := r.selected(q)
	for i := int32(0); i < int32(len(r.ends)); {
		if methods[r.Profile.Contexts[i].Method] {
			found[0] += s.sums.objects[i]
			found[1] += s.sums.bytes[i]
			i = r.ends[i]
			continue
		}
		for k := r.first[i]; k < r.first[i+1]; k++ {
			if classes[r.typeOf[r.cells.site[k]]] {
				found[0] += s.cells.objects[k]
				found[1] += s.cells.bytes[k]
			}
		}
		i++
	}
	return found, nil
}
