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

// classColumns are a class, and its loader where it has to be told: in text behind the name, if rows are not told apart
// by loader anyway.
func classColumns[Row any](h *heap.History, byLoader bool, class func(Row) heap.Class) []heapColumn[Row] {
	loader := func(r Row) any { return optionalText(h.Within(class(r))) }
	if byLoader {
		loader = func(r Row) any { return optionalText(h.LoaderTitle(class(r))) }
	}
	columns := []heapColumn[Row]{
		{name: "class", title: "Class", unit: profile.Text, only: inText, value: func(r Row) any {
			if byLoader {
				return h.Name(class(r))
			}
			return h.Title(class(r))
		}},
		{name: "class", unit: profile.Text, only: inJSON | inCSV, value: func(r Row) any { return h.Name(class(r)) }},
	}
	forms := inJSON | inCSV
	if byLoader {
		forms |= inText
	}
	return append(columns, heapColumn[Row]{name: "loader", title: "Loader", unit: profile.Text, only: forms,
		value: loader})
}

// optionalText is nil of none.
func optionalText(text string) any {
	if text == "" {
		return nil
	}
	return text
}
