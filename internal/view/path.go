package view

import (
	"errors"
	"strconv"
	"strings"
)

// A path leads from a root to a frame: keys of names with dots between. One with * at its end has all that it calls not
// folded; ~N is the frame of those that are smaller than N, which a piece has left out.
//
//	xB3_kq9a.Jx8-Lm2a*.~1200

// mostPath bounds how many names a path has.
const mostPath = 4096

// ErrPath is what Piece returns for what is no path.
var ErrPath = errors.New("view: not a path")

// along gives the frames from the root to the end of a path, or to where there are none with such names.
func (b *builder) along(root *frame, path string) ([]*frame, error) {
	trail := []*frame{root}
	if path == "" {
		return trail, nil
	}
	if strings.Count(path, ".") >= mostPath {
		return nil, ErrPath
	}
	for part := range strings.SplitSeq(path, ".") {
		last := trail[len(trail)-1]
		key, open := strings.CutSuffix(part, "*")
		next, err := b.step(last, key)
		if err != nil {
			return nil, err
		}
		if next == nil {
			break
		}
		next.open = open || next.open
		trail = append(trail, next)
	}
	return trail, nil
}

// step gives the frame of a key above another one; nil for none.
func (b *builder) step(from *frame, key string) (*frame, error) {
	if len(key) > len("~9223372036854775807") || key == "" {
		return nil, ErrPath
	}
	list := b.grow(from)
	if limit, is := strings.CutPrefix(key, "~"); is {
		n, err := strconv.ParseInt(limit, 10, 64)
		if err != nil {
			return nil, ErrPath
		}
		return b.rest(list, n), nil
	}
	for _, f := range list {
		if b.key(f.name) == key {
			return f, nil
		}
	}
	return nil, nil
}

// rest is those in a list, the largest first, that are smaller than a value; nil where there are none.
func (b *builder) rest(list []*frame, than int64) *frame {
	for i, f := range list {
		if b.value(f.amount) >= than {
			continue
		}
		rest := b.behind(list, i)
		rest.limit, rest.made = than, list[i:]
		return rest
	}
	return nil
}

// behind sums up those in a list behind so many; nil where there are none.
func (b *builder) behind(list []*frame, kept int) *frame {
	if kept >= len(list) {
		return nil
	}
	rest := &frame{name: name{smaller, 0, -1}, count: len(list) - kept}
	for _, f := range list[kept:] {
		rest.add(f.amount)
	}
	return rest
}
