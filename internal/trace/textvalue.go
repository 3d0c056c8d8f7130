package trace

import (
	"errors"
	"strconv"
	"strings"
)

// valueLen returns the length of the value that s begins with: a quoted
// string, a list in brackets, or what reaches to the next space.
func valueLen(s string) (int, error) {
	switch {
	case strings.HasPrefix(s, `"`):
		quoted, err := strconv.QuotedPrefix(s)
		if err == nil && len(quoted) < len(s) && s[len(quoted)] != ' ' {
			err = errors.New("space expected after string")
		}
		return len(quoted), err
	case strings.HasPrefix(s, "["):
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case ']':
				if i+1 < len(s) && s[i+1] != ' ' {
					return 0, errors.New("space expected after list")
				}
				return i + 1, nil
			case '"':
				quoted, err := strconv.QuotedPrefix(s[i:])
				if err != nil {
					return 0, err
				}
				i += len(quoted) - 1
			}
		}
		return 0, errors.New("list needs ]")
	}
	if i := strings.IndexByte(s, ' '); i >= 0 {
		return i, nil
	}
	return len(s), nil
}

// listItems cuts "[a b c]" at its spaces.
func listItems(s string) ([]string, error) {
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return nil, errors.New("list needs [ and ]")
	}
	s = s[1 : len(s)-1]
	var items []string
	for s != "" {
		n, err := valueLen(s)
		if err != nil {
			return nil, err
		}
		items = append(items, s[:n])
		s = strings.TrimPrefix(s[n:], " ")
	}
	return items, nil
}
