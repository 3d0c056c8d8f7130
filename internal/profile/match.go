package profile

import (
	"strconv"
	"strings"
)

// MatchName reports whether a pattern, or one of several between commas, selects the name of a class, or of a method
// with its class. A pattern without * is whole parts of the name, as dots divide it: String, Shop.slow, org.foo. One
// with * stands for the whole name, as [Match] has it, or, if it has no dot, for the last part alone: String*.
func MatchName(patterns, name string) bool {
	return anyMatches(patterns, func(pattern string) bool {
		if !strings.Contains(pattern, "*") {
			return hasParts(name, pattern)
		}
		return Match(pattern, name) ||
			!strings.Contains(pattern, ".") && Match(pattern, name[strings.LastIndexByte(name, '.')+1:])
	})
}

// MatchTitle reports whether a pattern, or one of several between commas, stands for the whole of what a program calls
// something, a thread or a transaction. That may have commas itself.
func MatchTitle(patterns, name string) bool {
	return Match(patterns, name) || anyMatches(patterns, func(pattern string) bool { return Match(pattern, name) })
}

// anyMatches reports whether one of the patterns between commas does; where there is none, all do.
func anyMatches(patterns string, matches func(pattern string) bool) bool {
	if patterns == "" {
		return true
	}
	for pattern := range strings.SplitSeq(patterns, ",") {
		if pattern = strings.TrimSpace(pattern); pattern != "" && matches(pattern) {
			return true
		}
	}
	return false
}

// hasParts reports whether parts stands in a name between dots, or at its ends.
func hasParts(name, parts string) bool {
	for from := 0; ; {
		i := strings.Index(name[from:], parts)
		if i < 0 {
			return false
		}
		begin := from + i
		end := begin + len(parts)
		if (begin == 0 || name[begin-1] == '.') && (end == len(name) || name[end] == '.') {
			return true
		}
		from = begin + 1
	}
}

// Match reports whether a pattern, in which * stands for any run of characters, stands for the whole of a name. All
// match an empty one.
func Match(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	if last == 0 {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1:last] {
		_, after, found := strings.Cut(name, part)
		if !found {
			return false
		}
		name = after
	}
	return strings.HasSuffix(name, parts[last])
}

// MatchSite reports whether a pattern, or one of several between commas, selects a site: that of a method, as MatchName
// has it, and, where a number stands behind it, of that line: demo.Main.run:12.
func MatchSite(patterns string, s *Site) bool {
	return anyMatches(patterns, func(pattern string) bool {
		method, line, has := strings.Cut(pattern, ":")
		n, err := strconv.Atoi(line)
		return MatchName(method, s.Class+"."+s.Method) && (!has || err == nil && int32(n) == s.Line)
	})
}
