package trace

// layout is the table of one record type with the type erased.
type layout interface {
	name() string
	schemas() []schema
	traits() traits
	encode(e *encoder, r Record)
	decode(d *decoder) Record
	print(dst []byte, r Record) []byte
	parse(lines *textLines, fields string) (Record, error)
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

func (l recordLayout[R, P]) parse(lines *textLines, fields string) (Record, error) {
	row := new(R)
	if err := l.table.parse(lines, fields, row, 0); err != nil {
		return nil, err
	}
	return P(row), nil
}
