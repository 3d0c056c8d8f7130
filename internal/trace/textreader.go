package trace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// TextReader parses the text form of a recording. Empty lines and lines that
// begin with # are passed over.
type TextReader struct{ p textParser }

// NewTextReader reads the text form from r.
func NewTextReader(r io.Reader) *TextReader {
	return &TextReader{textParser{r: bufio.NewReader(r)}}
}

// Next returns the next record, io.EOF at the end. An error names the line;
// after it the reader is of no more use.
func (t *TextReader) Next() (Record, error) {
	p := &t.p
	p.size = 0
	if err := p.peek(); err != nil {
		return nil, err
	}
	r, err := p.record()
	if err != nil {
		p.err = fmt.Errorf("trace: line %d: %w", p.number, err)
		return nil, p.err
	}
	return r, nil
}

// textParser reads lines one ahead, so that a row knows where it ends.
type textParser struct {
	r      *bufio.Reader
	number int   // of the line last read, from 1
	size   int   // bytes of the current record
	err    error // what ended the input

	ahead  bool // a line is read and not taken: its parts follow
	depth  int
	word   string
	fields string
}

// peek reads the next line that is not blank, unless one is there already.
func (p *textParser) peek() error {
	for !p.ahead && p.err == nil {
		line, err := p.line()
		if err != nil {
			p.err = err
			break
		}
		if trimmed := strings.TrimLeft(line, " "); trimmed == "" || trimmed[0] == '#' {
			continue
		}
		p.depth, p.word, p.fields = cutLine(line)
		p.ahead = true
	}
	if p.ahead {
		return nil
	}
	return p.err
}

// line returns the next line without its end.
func (p *textParser) line() (string, error) {
	var line []byte
	for {
		part, err := p.r.ReadSlice('\n')
		p.size += len(part)
		if p.size > maxText {
			return "", fmt.Errorf("trace: line %d: record is longer than %d bytes", p.number+1, maxText)
		}
		line = append(line, part...)
		switch {
		case err == nil || err == io.EOF && len(line) > 0:
			p.number++
			return strings.TrimRight(string(line), "\r\n"), nil
		case err != bufio.ErrBufferFull:
			return "", err
		}
	}
}

func (p *textParser) record() (Record, error) {
	if p.depth > 0 {
		return nil, fmt.Errorf("a record begins at the start of a line, not %q", p.word)
	}
	for _, l := range layouts {
		if l != nil && l.name() == p.word {
			p.ahead = false
			return l.parse(p, p.fields)
		}
	}
	return nil, fmt.Errorf("no record is called %q", p.word)
}

// parse reads the fields of a row, and the lines below that belong to it.
func (t *table[R]) parse(p *textParser, fields string, row *R, depth int) error {
	if err := t.parseFields(fields, row); err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	for {
		if err := p.peek(); err == io.EOF || err == nil && p.depth <= depth {
			return nil
		} else if err != nil {
			return err
		}
		c := t.rowColumn(p.word)
		if c == nil || p.depth != depth+1 {
			return fmt.Errorf("%s has no rows %q there", t.name, p.word)
		}
		p.ahead = false
		if err := c.parseLine(p, p.fields, row, depth+1); err != nil {
			return err
		}
	}
}

func (t *table[R]) rowColumn(item string) column[R] {
	for _, c := range t.columns {
		if item != "" && c.item() == item {
			return c
		}
	}
	return nil
}

// parseFields reads "A=1 B=[2 3]".
func (t *table[R]) parseFields(s string, row *R) error {
	given := make(map[string]bool)
	for s != "" {
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("%q needs a value", s)
		}
		if given[name] {
			return fmt.Errorf("%s is given twice", name)
		}
		given[name] = true
		n, err := valueLen(rest)
		if err == nil {
			err = t.parseField(name, rest[:n], row)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		s = rest[n:]
		if s != "" {
			s = s[1:]
			if s == "" {
				return errors.New("space at the end of the line")
			}
		}
	}
	return nil
}

func (t *table[R]) parseField(name, value string, row *R) error {
	for _, c := range t.columns {
		if c.name() == name && c.item() == "" {
			return c.parse(value, row)
		}
	}
	return errors.New("no such field")
}

func (c scalar[R, F]) parse(value string, row *R) error {
	v, err := c.codec.parse(value)
	if err == nil {
		*c.at(row) = v
	}
	return err
}

func (c scalar[R, F]) parseLine(*textParser, string, *R, int) error {
	return errors.New("not a list of rows")
}

// parse reads "[a:b c:d]".
func (c nested[R, S]) parse(value string, row *R) error {
	items, err := listItems(value)
	if err != nil {
		return err
	}
	list := make([]S, len(items))
	for i, item := range items {
		parts := strings.Split(item, ":")
		if len(parts) != len(c.items.columns) {
			return fmt.Errorf("%q has not %d numbers", item, len(c.items.columns))
		}
		for j, part := range parts {
			if err := c.items.columns[j].parse(part, &list[i]); err != nil {
				return err
			}
		}
	}
	if len(list) > 0 {
		*c.at(row) = list
	}
	return nil
}

func (c nested[R, S]) parseLine(p *textParser, fields string, row *R, depth int) error {
	var item S
	if err := c.items.parse(p, fields, &item, depth); err != nil {
		return err
	}
	list := c.at(row)
	*list = append(*list, item)
	return nil
}

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
