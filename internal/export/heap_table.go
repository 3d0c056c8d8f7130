package export

import (
	"mallard/internal/heap"
	"mallard/internal/profile"
)

// heapColumn is a column of a table about the heap, and what a row has there; nil: unknown, or there is none.
type heapColumn[Row any] struct {
	name, title string
	unit        profile.Unit
	value       func(Row) any
	only        heapForm // forms that have it; 0: all
}

// heapForm is a form of an answer, or some.
type heapForm uint8

const (
	inText heapForm = 1 << iota
	inJSON
	inCSV
)

// heapRows are the rows of an answer, in any form.
type heapRows struct {
	n  int
	in func(heapForm) *profile.EventTable
}

// heapTable makes a table of rows.
func heapTable[Row any](rows []Row, columns []heapColumn[Row]) heapRows {
	return heapRows{len(rows), func(form heapForm) *profile.EventTable {
		table := &profile.EventTable{}
		var values []func(Row) any
		for _, c := range columns {
			if c.only == 0 || c.only&form != 0 {
				table.Columns = append(table.Columns, profile.EventColumn{Name: c.name, Title: c.title, Unit: c.unit})
				values = append(values, c.value)
			}
		}
		for _, row := range rows {
			r := profile.EventRow{Values: make([]any, len(values))}
			for i, value := range values {
				r.Values[i] = value(row)
			}
			table.Rows = append(table.Rows, r)
		}
		return table
	}}
}

// amountColumns are objects and bytes. The name is in front of theirs, if there is one.
func amountColumns[Row any](name, title string, amount func(Row) heap.Amount) []heapColumn[Row] {
	objects, bytes := heapColumn[Row]{name: "objects", title: "Objects"}, heapColumn[Row]{name: "bytes", title: "Bytes"}
	if name != "" {
		objects.name, bytes.name = name+"_objects", name+"_bytes"
		objects.title, bytes.title = title, title+" bytes"
	}
	objects.unit, bytes.unit = profile.Bytes, profile.Bytes
	objects.value = func(r Row) any { return amount(r).Objects }
	bytes.value = func(r Row) any { return amount(r).Bytes }
	return []heapColumn[Row]{objects, bytes}
}

func classColumn[Row any](h *heap.History, class func(Row) heap.Class) heapColumn[Row] {
	return heapColumn[Row]{name: "class", title: "Class", unit: profile.Text,
		value: func(r Row) any { return h.Name(class(r)) }}
}
