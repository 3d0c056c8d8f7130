package trace

import (
	"fmt"
	"strconv"
)

// layoutOf returns the layout of a kind, nil if there is none.
func layoutOf(k Kind) layout {
	if int(k) < len(layouts) {
		return layouts[k]
	}
	return nil
}

// String returns the name of the record type.
func (k Kind) String() string {
	if l := layoutOf(k); l != nil {
		return l.name()
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// KindNames are the names of all record types, in order of their numbers.
func KindNames() (names []string) {
	for _, l := range layouts {
		if l != nil {
			names = append(names, l.name())
		}
	}
	return names
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
