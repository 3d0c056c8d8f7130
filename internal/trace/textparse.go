package trace

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// parse reads the fields of a row, and the lines below that belong to it.
func (t *table[R]) parse(lines *textLines, fields string, row *R, depth int) error {
	if err := t.parseFields(fields, row); err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	for {
		if err := lines.peek(); err == io.EOF || err == nil && lines.depth <= depth {
			return nil
		} else if err != nil {
			return err
		}
		c := t.rowColumn(lines.word)
		if c == nil || lines.depth != depth+1 {
			return fmt.Errorf("%s has no rows %q there", t.name, lines.word)
		}
		lines.ahead = false
		if err := c.parseLine(lines, lines.fields, row, depth+1); err != nil {
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

func (c scalar[R, F]) parseLine(*textLines, string, *R, int) error {
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

func (c nested[R, S]) parseLine(lines *textLines, fields string, row *R, depth int) error {
	var item S
	if err := c.items.parse(lines, fields, &item, depth); err != nil {
		return err
	}
	list := c.at(row)
	*list = append(*list, item)
	return nil
}
