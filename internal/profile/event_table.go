package profile

import (
	"time"

	"mallard/internal/trace"
)

// EventTable is what an observer's events say: a table with a row for each thing that happened, in the order of time.
type EventTable struct {
	Noun    string // what a row is, e.g. collection
	Columns []EventColumn
	Rows    []EventRow
	Plots   []Plot // for a page
}

// EventColumn says what the values of a column are.
type EventColumn struct {
	Name  string // in JSON and CSV
	Title string // in text
	Unit  Unit
}

// Unit is what a value counts, and how it is held.
type Unit uint8

// The units.
const (
	Text    Unit = iota // a string
	Number              // an int64 that is one of a series
	Bytes               // an int64
	Seconds             // a time.Duration
	Share               // a float64, in percent
	Ratio               // a float64
)

// EventRow is a row.
type EventRow struct {
	At     time.Duration // since the start of the recording
	Name   string        // in a word or two, for tables of other things
	Values []any         // by column, as its Unit says; nil: unknown, or there is none
}

// Plot is curves, or bars, over the time of a recording.
type Plot struct {
	Title string
	Unit  Unit
	Bars  bool // each value by itself; else lines from one value to the next
	Lines []PlotLine
}

// PlotLine is one curve.
type PlotLine struct {
	Name   string
	Points []PlotPoint // in the order of time
}

// PlotPoint is a value at an instant, in the plot's unit; of Seconds and Bytes in seconds and bytes.
type PlotPoint struct {
	At    time.Duration
	Value float64
}

// Events takes the events of those observers that are keys, in the order in which they were recorded.
type Events map[string][]*trace.Events

// Add is a Consumer's.
func (e Events) Add(record trace.Record) {
	events, ok := record.(*trace.Events)
	if !ok {
		return
	}
	if list, wanted := e[events.Observer]; wanted {
		e[events.Observer] = append(list, events)
	}
}

// Value is what a row has in the column of a name; nil: unknown, or there is no such column.
func (c *EventTable) Value(row EventRow, column string) any {
	for i := range c.Columns {
		if c.Columns[i].Name == column {
			return row.Values[i]
		}
	}
	return nil
}

// Within gives the rows of a span; a nil one has all.
func (c *EventTable) Within(span *Span) *EventTable {
	if span == nil {
		return c
	}
	part := *c
	part.Rows = nil
	for _, row := range c.Rows {
		if row.At >= span.From && row.At < span.To {
			part.Rows = append(part.Rows, row)
		}
	}
	return &part
}
