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
