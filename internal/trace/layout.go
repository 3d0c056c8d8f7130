package trace

import "fmt"

// layout is the table of one record type with the type erased.
type layout interface {
	name() string
	schemas() []schema
	traits() traits
	encode(e *encoder, r Record)
	decode(d *decoder) Record
	print(dst []byte, r Record) []byte
	parse(p *textParser, fields string) (Record, error)
}

// layoutOf returns the layout of a kind, nil if there is none.
func layoutOf(k Kind) layout {
	if int(k) < len(layouts) {
		return layouts[k]
	}
	return nil
}

// traits are what Writer and File have to know of a record type.
type traits uint8

const (
	superseded    traits = 0         // a later record of the kind says all that it said
	irreplaceable traits = 1 << iota // no later record makes up for the loss of one
	naming                           // it says what numbers mean, and may come any time before they are used
	summary                          // it speaks of the whole recording

	definition = irreplaceable | naming
)

func (t traits) has(all traits) bool { return t&all == all }

// recordLayout is the layout of the record type R.
type recordLayout[R any, P interface {
	*R
	Record
}] struct {
	*table[R]
	is traits
}

func record[R any, P interface {
	*R
	Record
}](is traits, columns ...column[R]) layout {
	return recordLayout[R, P]{newTable(columns...), is}
}

func (l recordLayout[R, P]) name() string   { return l.table.name }
func (l recordLayout[R, P]) traits() traits { return l.is }

func (l recordLayout[R, P]) encode(e *encoder, r Record) {
	l.table.encode(e, []R{*r.(P)})
}

func (l recordLayout[R, P]) decode(d *decoder) Record {
	row := make([]R, 1)
	l.table.decode(d, row)
	return P(&row[0])
}

func (l recordLayout[R, P]) print(dst []byte, r Record) []byte {
	return l.table.print(dst, r.(P), 0)
}

func (l recordLayout[R, P]) parse(p *textParser, fields string) (Record, error) {
	row := new(R)
	if err := l.table.parse(p, fields, row, 0); err != nil {
		return nil, err
	}
	return P(row), nil
}

// appendRecord encodes the kind of r and r.
func (e *encoder) appendRecord(r Record) {
	e.uint(uint64(r.kind()))
	layoutOf(r.kind()).encode(e, r)
}

// record decodes what appendRecord wrote.
func (d *decoder) record() (Record, error) {
	k := uintCodec[Kind]{}.decode(d, 0)
	if d.err != nil {
		return nil, d.err
	}
	l := layoutOf(k)
	if l == nil {
		return nil, fmt.Errorf("no record has the kind %d", k)
	}
	r := l.decode(d)
	if d.err != nil {
		return nil, fmt.Errorf("%s: %w", l.name(), d.err)
	}
	return r, nil
}
