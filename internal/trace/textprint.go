package trace

import (
	"strings"
)

func (t *table[R]) print(dst []byte, row *R, depth int) []byte {
	dst = append(dst, strings.Repeat(indent, depth)...)
	dst = append(dst, t.name...)
	for _, c := range t.columns {
		if c.item() == "" && !c.zero(row) {
			dst = append(append(append(dst, ' '), c.name()...), '=')
			dst = c.print(dst, row)
		}
	}
	dst = append(dst, '\n')
	for _, c := range t.columns {
		if c.item() != "" {
			dst = c.printLines(dst, row, depth+1)
		}
	}
	return dst
}

func (c scalar[R, F]) zero(row *R) bool                { return c.codec.zero(*c.at(row)) }
func (c scalar[R, F]) print(dst []byte, row *R) []byte { return c.codec.print(dst, *c.at(row)) }
func (c scalar[R, F]) item() string                    { return "" }

func (c scalar[R, F]) printLines(dst []byte, _ *R, _ int) []byte { return dst }

func (c nested[R, S]) zero(row *R) bool { return len(*c.at(row)) == 0 }

func (c nested[R, S]) item() string {
	if c.pairs {
		return ""
	}
	return c.items.name
}

func (c nested[R, S]) print(dst []byte, row *R) []byte {
	dst = append(dst, '[')
	items := *c.at(row)
	for i := range items {
		if i > 0 {
			dst = append(dst, ' ')
		}
		for j, column := range c.items.columns {
			if j > 0 {
				dst = append(dst, ':')
			}
			dst = column.print(dst, &items[i])
		}
	}
	return append(dst, ']')
}

func (c nested[R, S]) printLines(dst []byte, row *R, depth int) []byte {
	items := *c.at(row)
	for i := range items {
		dst = c.items.print(dst, &items[i], depth)
	}
	return dst
}
