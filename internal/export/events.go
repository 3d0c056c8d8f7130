package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"mallard/internal/profile"
)

// EventReport says what an observer saw happen, ready to be written:
//
//	Number  Start  Kind   Pause     Before      After
//	     0  0.152  young  0.0036  16,777,216  3,145,728
type EventReport struct {
	File    string // the recording, as the user named it
	By      string // the question's name
	Profile *profile.Profile
	Table   *profile.EventTable
	Verbose bool // as a Report's
}

// Text writes the table for a reader.
func (r *EventReport) Text(w io.Writer) error {
	head := Report{File: r.File, Profile: r.Profile, Verbose: r.Verbose,
		Answer: &profile.Answer{Selected: r.Profile.Total}}
	rows := counted(int64(len(r.Table.Rows)), r.Table.Noun) + ", sorted by time, in seconds"
	if err := head.writeFacts(w, "Showing", rows); err != nil || len(r.Table.Rows) == 0 {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return writeColumns(w, tableColumns(r.Table))
}

// tableColumns are the columns of a table in text.
func tableColumns(table *profile.EventTable) []column {
	columns := make([]column, len(table.Columns))
	for i, c := range table.Columns {
		columns[i] = column{title: c.Title, left: c.Unit == profile.Text}
		for _, row := range table.Rows {
			columns[i].cells = append(columns[i].cells, eventCell(row.Values[i], c.Unit, grouped))
		}
	}
	return columns
}

// eventCell prints a value; one that is not known is empty.
func eventCell(value any, unit profile.Unit, number func(int64) string) string {
	switch v := value.(type) {
	case string:
		return v
	case int64:
		if unit == profile.Bytes {
			return number(v)
		}
		return strconv.FormatInt(v, 10)
	case float64:
		text := strconv.FormatFloat(math.Abs(v), 'f', digitsOf[unit], 64)
		whole, fraction, _ := strings.Cut(text, ".")
		if n, err := strconv.ParseInt(whole, 10, 64); err == nil {
			whole = number(n)
		}
		return map[bool]string{true: "-"}[v < 0] + whole + "." + fraction
	case time.Duration:
		return strconv.FormatFloat(v.Seconds(), 'f', 6, 64)
	case fmt.Stringer:
		return v.String()
	}
	return ""
}

// digitsOf are those behind the point.
var digitsOf = map[profile.Unit]int{profile.Share: 1, profile.Ratio: 3}

// eventRow is a row of the JSON form.
type eventRow struct {
	columns []profile.EventColumn
	values  []any
}

// MarshalJSON writes the values by the columns' names, in their order.
func (r eventRow) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, c := range r.columns {
		value := r.values[i]
		if d, ok := value.(time.Duration); ok {
			value = d.Seconds()
		}
		text, err := marshal(value, "")
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `%c%q:%s`, "{,"[min(i, 1)], c.Name, text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// JSON writes the rows in the JSON form of reports.
func (r *EventReport) JSON(w io.Writer) error {
	head := newJSONReport(r.File, r.Profile, r.By, profile.Filter{}, r.Profile.Total)
	return writeJSON(w, head, tableRows(r.Table))
}

// tableRows are the rows of a table in JSON.
func tableRows(table *profile.EventTable) iter.Seq[eventRow] {
	return func(yield func(eventRow) bool) {
		for _, row := range table.Rows {
			if !yield(eventRow{table.Columns, row.Values}) {
				return
			}
		}
	}
}

// CSV writes the rows of the JSON form.
func (r *EventReport) CSV(w io.Writer) error { return writeTableCSV(w, r.Table) }

func writeTableCSV(w io.Writer, table *profile.EventTable) error {
	out := csv.NewWriter(w)
	record := make([]string, len(table.Columns))
	for i, c := range table.Columns {
		record[i] = c.Name
	}
	out.Write(record)
	ungrouped := func(n int64) string { return strconv.FormatInt(n, 10) }
	for _, row := range table.Rows {
		for i, c := range table.Columns {
			record[i] = eventCell(row.Values[i], c.Unit, ungrouped)
			if c.Unit == profile.Text {
				record[i] = spreadsheetCell(record[i])
			}
		}
		out.Write(record)
	}
	out.Flush()
	return out.Error()
}
