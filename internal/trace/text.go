package trace

import (
	"strings"
)

// AppendText appends the text form of r: a line with the name of its type and
// its fields, and below it, indented, a line for each row it has. Fields that
// are zero are left out.
//
//	ClassDef ID=3 Loader=1 Name="demo/Main" SiteBase=7 CounterBase=9 Counters=1
//	  MethodDef Name="main" Descriptor="([Ljava/lang/String;)V"
//	    SiteDef BCI=0 Line=5 Type="demo/Point"
//	    CounterDef Semantics=[0:1]
//
// Strings are quoted as in Go, so that any bytes survive.
func AppendText(dst []byte, r Record) []byte {
	return layoutOf(r.kind()).print(dst, r)
}

const indent = "  "

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

// cutLine splits a line into its depth, its first word and the rest.
func cutLine(line string) (depth int, word, rest string) {
	for strings.HasPrefix(line, indent) {
		depth++
		line = line[len(indent):]
	}
	word, rest, _ = strings.Cut(line, " ")
	return depth, word, rest
}
