package trace

import (
	"fmt"
	"io"
	"reflect"
)

// table is the layout of rows of type R: the columns in file order.
//
// Rows are written column by column: the first column of all rows, then the
// second of all rows, and so on. A column that is itself a list of rows gives
// the number of items of each row, and then the items of all rows together as
// one table. Values of one meaning so lie side by side, which is where their
// small differences and the compressor's repetitions are.
type table[R any] struct {
	name    string // of R
	columns []column[R]
}

// column is one field of R, in both forms.
type column[R any] interface {
	name() string
	typeName() string  // as docs/format.md has it
	schemas() []schema // of rows in the column

	encode(e *encoder, rows []R)
	decode(d *decoder, rows []R)

	zero(row *R) bool // whether the text form leaves it out
	print(dst []byte, row *R) []byte
	parse(value string, row *R) error

	// A column of rows has lines of its own below the row's line, which begin
	// with item; for others item is empty.
	item() string
	printLines(dst []byte, row *R, depth int) []byte
	parseLine(lines *textLines, fields string, row *R, depth int) error
}

// version is one of the format.
type version uint16

// in reports whether a block has what came with a version.
func (v version) in(d *decoder) bool { return d.version == 0 || d.version >= uint16(v) }

// newer is a column that came with a later version than the first.
type newer[R any] struct {
	column[R]
	version
}

func (n newer[R]) typeName() string {
	return fmt.Sprintf("%s, from version %d on", n.column.typeName(), n.version)
}

// since is the version that a column came with.
func since[R any](c column[R]) version {
	if n, later := c.(newer[R]); later {
		return n.version
	}
	return 1
}

func newTable[R any](columns ...column[R]) *table[R] {
	return &table[R]{reflect.TypeFor[R]().Name(), columns}
}

func (t *table[R]) encode(e *encoder, rows []R) {
	for _, c := range t.columns {
		c.encode(e, rows)
	}
}

func (t *table[R]) decode(d *decoder, rows []R) {
	for _, c := range t.columns {
		if d.err != nil {
			return
		}
		if since(c).in(d) {
			c.decode(d, rows)
		}
	}
}

// least is how many bytes a row takes at least.
func (t *table[R]) least(d *decoder) (n int) {
	for _, c := range t.columns {
		if since(c).in(d) {
			n++
		}
	}
	return n
}

// schemas returns the table's schema and then those of its rows.
func (t *table[R]) schemas() []schema {
	s := schema{row: reflect.TypeFor[R]()}
	var below []schema
	for _, c := range t.columns {
		s.fields = append(s.fields, schemaField{c.name(), c.typeName()})
		below = append(below, c.schemas()...)
	}
	return append([]schema{s}, below...)
}

// scalar is a column that a codec writes, one value per row.
type scalar[R, F any] struct {
	title string
	codec codec[F]
	at    func(*R) *F
}

func (c scalar[R, F]) name() string      { return c.title }
func (c scalar[R, F]) typeName() string  { return c.codec.String() }
func (c scalar[R, F]) schemas() []schema { return nil }

func (c scalar[R, F]) encode(e *encoder, rows []R) {
	var previous F
	for i := range rows {
		v := *c.at(&rows[i])
		c.codec.encode(e, v, previous)
		previous = v
	}
}

func (c scalar[R, F]) decode(d *decoder, rows []R) {
	var previous F
	for i := range rows {
		v := c.codec.decode(d, previous)
		*c.at(&rows[i]) = v
		previous = v
	}
}

// nested is a column of rows of their own.
type nested[R, S any] struct {
	title string
	items *table[S]
	at    func(*R) *[]S
	pairs bool // the text form is a list of a:b on the row's own line
}

func (c nested[R, S]) name() string      { return c.title }
func (c nested[R, S]) schemas() []schema { return c.items.schemas() }

func (c nested[R, S]) typeName() string {
	if c.pairs {
		return "pairs of " + c.items.name
	}
	return "rows of " + c.items.name
}

func (c nested[R, S]) encode(e *encoder, rows []R) {
	total := 0
	for i := range rows {
		n := len(*c.at(&rows[i]))
		e.uint(uint64(n))
		total += n
	}
	if len(rows) == 1 {
		c.items.encode(e, *c.at(&rows[0]))
		return
	}
	all := make([]S, 0, total)
	for i := range rows {
		all = append(all, *c.at(&rows[i])...)
	}
	c.items.encode(e, all)
}

func (c nested[R, S]) decode(d *decoder, rows []R) {
	counts := make([]int, len(rows))
	total, least := 0, c.items.least(d)
	for i := range counts {
		counts[i] = d.count(least)
		total += counts[i]
	}
	if total > len(d.left())/least {
		d.fail(io.ErrUnexpectedEOF)
	}
	if d.err != nil || total == 0 {
		return
	}
	all := make([]S, total)
	c.items.decode(d, all)
	for i, n := range counts {
		if n > 0 {
			*c.at(&rows[i]), all = all[:n:n], all[n:]
		}
	}
}
