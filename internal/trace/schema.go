package trace

import "reflect"

// schema describes a table for those who do not know the type of its rows:
// docs/format.md, and the tests.
type schema struct {
	row    reflect.Type
	fields []schemaField
}

type schemaField struct {
	name     string
	typeName string
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

func (c scalar[R, F]) schemas() []schema { return nil }
func (c nested[R, S]) schemas() []schema { return c.items.schemas() }
