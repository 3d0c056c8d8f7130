package export

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"mallard/internal/profile"
)

// OverTimeReport says when a program allocated, ready to be written:
//
//	 From     To  Objects  Objects/s    Bytes    Bytes/s
//	0.000  1.002      980        978   23,520     23,473  ##########
//	1.002  2.001       98         98    2,352      2,354  #
//
// Where rows are told apart, each has a column with a letter, which is explained above. From and To are bytecodes
// where intervals are.
type OverTimeReport struct {
	File     string // the recording, as the user named it
	Profile  *profile.Profile
	Timeline *profile.Timeline
	Events   []*profile.EventTable // of which rows name those between their ends
	Verbose  bool                  // as a Report's
}

// mostNames is how many things a row of text names.
const mostNames = 3

// eventNames names the events in an interval, whose end is the recording's where it is the last.
func (r *OverTimeReport) eventNames(i profile.Interval) (names []string) {
	last := r.Timeline.Intervals[len(r.Timeline.Intervals)-1]
	for _, c := range r.Events {
		for _, row := range c.Rows {
			if row.At >= i.From && (row.At < i.To || i.To == last.To) {
				names = append(names, row.Name)
			}
		}
	}
	return names
}

// eventColumns has the names, if there are any.
func (r *OverTimeReport) eventColumns() []column {
	names, any := column{title: "Meanwhile", left: true}, false
	for _, i := range r.Timeline.Intervals {
		list := r.eventNames(i)
		any = any || len(list) > 0
		text := strings.Join(list[:min(len(list), mostNames)], ", ")
		if more := len(list) - mostNames; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		names.cells = append(names.cells, text)
	}
	if !any {
		return nil
	}
	return []column{names}
}

// barWidth is how long the bar of the largest rate is.
const barWidth = 30

// Text writes the table for a reader.
func (r *OverTimeReport) Text(w io.Writer) error {
	q := r.Timeline.Query
	head := Report{File: r.File, Profile: r.Profile, Verbose: r.Verbose,
		Answer: &profile.Answer{Query: q.Query, Selected: r.selected()}}
	every := q.Every.String()
	if q.EveryBytecodes > 0 {
		every = counted(q.EveryBytecodes, "bytecode") + " of the program's classes"
	}
	what := []string{fmt.Sprintf("%s from snapshot to snapshot, about %s or more each; at their ends counts are "+
		"exact except for methods still on a stack", counted(int64(len(r.Timeline.Intervals)), "interval"), every)}
	if q.Parts {
		what = append(what, fmt.Sprintf("%d of %d rows by %s as columns, in %s:", len(r.Timeline.Rows),
			r.Timeline.Count, q.By, q.Sort))
		rows := Report{File: r.File, Profile: r.Profile, Answer: &profile.Answer{Query: q.Query, Rows: r.Timeline.Rows}}
		names := rows.nameColumns()
		for i := range r.Timeline.Rows {
			line := letter(i)
			for _, column := range names {
				if column.left {
					line += "  " + column.cells[i]
				}
			}
			what = append(what, line)
		}
	}
	if err := head.writeFacts(w, "Over time", what...); err != nil || len(r.Timeline.Intervals) == 0 {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return writeColumns(w, append(r.columns(), r.eventColumns()...))
}

// selected sums what passed the filter.
func (r *OverTimeReport) selected() (sum profile.Amount) {
	for _, i := range r.Timeline.Intervals {
		sum.Add(i.Amount)
	}
	return sum
}

// letter names a column: A to Z, then A2 to Z2 and so on.
func letter(i int) string {
	name := string(rune('A' + i%26))
	if i >= 26 {
		name += strconv.Itoa(i/26 + 1)
	}
	return name
}

func (r *OverTimeReport) columns() []column {
	times := []column{{title: "From"}, {title: "To"}}
	if r.hasClock() {
		times = append([]column{{title: "Clock"}}, times...)
	}
	objects, objectRate := column{title: "Objects"}, column{title: "Objects/s"}
	bytes, byteRate := column{title: "Bytes"}, column{title: "Bytes/s"}
	parts, bars := make([]column, len(r.Timeline.Rows)), column{left: true}
	sort := r.Timeline.Query.Sort
	highest := 0.0
	for _, i := range r.Timeline.Intervals {
		highest = max(highest, r.rate(sort.Value(i.Amount), i))
	}
	for _, i := range r.Timeline.Intervals {
		from, to := instant(i.From), instant(i.To)
		if r.Timeline.Query.EveryBytecodes > 0 {
			from, to = grouped(i.FromBytecodes), grouped(i.ToBytecodes)
		}
		cells := []string{from, to}
		if r.hasClock() {
			cells = []string{r.clock(i.From, clockText), from, to}
		}
		for k := range times {
			times[k].cells = append(times[k].cells, cells[k])
		}
		objects.cells = append(objects.cells, grouped(i.Amount.Objects))
		objectRate.cells = append(objectRate.cells, grouped(int64(math.Round(rate(i.Amount.Objects, i)))))
		amount, perSecond := "?", "?"
		if i.Amount.BytesKnown() {
			amount, perSecond = grouped(i.Amount.Bytes), grouped(int64(math.Round(rate(i.Amount.Bytes, i))))
		}
		bytes.cells = append(bytes.cells, amount)
		byteRate.cells = append(byteRate.cells, perSecond)
		for k := range parts {
			parts[k].title = letter(k)
			parts[k].cells = append(parts[k].cells, grouped(sort.Value(i.Parts[k])))
		}
		length := 0
		if highest > 0 {
			length = int(math.Ceil(barWidth*max(r.rate(sort.Value(i.Amount), i), 0)/highest - 1e-6))
		}
		bars.cells = append(bars.cells, strings.Repeat("#", length))
	}
	if r.Timeline.Query.Parts {
		return slices.Concat(times, []column{objects, bytes}, parts, []column{bars})
	}
	if r.Profile.Bytecodes {
		var amounts []profile.Amount
		for _, i := range r.Timeline.Intervals {
			amounts = append(amounts, i.Amount)
		}
		return slices.Concat(times, []column{objects, bytes}, bytecodeColumns(amounts), []column{bars})
	}
	return append(times, objects, objectRate, bytes, byteRate, bars)
}

// The clock on the wall when an interval began, for readers and for programs.
const (
	clockText = "15:04:05.000"
	clockJSON = "2006-01-02T15:04:05.000Z07:00"
)

// hasClock reports whether the recording says when it was started.
func (r *OverTimeReport) hasClock() bool { return !r.Profile.Started.IsZero() }

// clock is what the clock on the wall said, "" unknown.
func (r *OverTimeReport) clock(at time.Duration, layout string) string {
	if !r.hasClock() {
		return ""
	}
	return r.Profile.Started.Add(at).Local().Format(layout)
}

// instant prints seconds from the start of the recording on.
func instant(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

// rate is what a number is in a second, 0 for an interval of no length.
func rate(n int64, i profile.Interval) float64 {
	if i.To <= i.From {
		return 0
	}
	return float64(n) / (i.To - i.From).Seconds()
}

// rate is what the length of a bar stands for: a number in a second, or for a bytecode.
func (r *OverTimeReport) rate(n int64, i profile.Interval) float64 {
	if r.Timeline.Query.EveryBytecodes == 0 {
		return rate(n, i)
	}
	return float64(n) / float64(max(i.ToBytecodes-i.FromBytecodes, 1))
}

// jsonInterval is a row of the JSON form: an interval, or what one of the rows told apart has in it.
type jsonInterval struct {
	From             float64  `json:"from"`
	To               float64  `json:"to"`
	Clock            string   `json:"clock,omitempty"`
	FromBytecodes    *int64   `json:"from_bytecodes,omitempty"`
	ToBytecodes      *int64   `json:"to_bytecodes,omitempty"`
	ObjectsPerSecond float64  `json:"objects_per_second"`
	BytesPerSecond   *float64 `json:"bytes_per_second"`
	Meanwhile        []string `json:"meanwhile,omitempty"`
	jsonRow
}

// JSON writes the intervals in the JSON form of reports. Where rows are told apart, each has a row for each interval
// in which it made something.
func (r *OverTimeReport) JSON(w io.Writer) error {
	q := r.Timeline.Query
	by := "time"
	if q.Parts {
		by += "," + q.By.String()
	}
	head := newJSONReport(r.File, r.Profile, by, q.Filter, r.selected())
	head.Filters.Sort = optional(q.Sort.String())
	if q.EveryBytecodes > 0 {
		head.Filters.EveryBytecodes = &q.EveryBytecodes
	} else {
		every := q.Every.Seconds()
		head.Filters.Every = &every
	}
	if q.Top > 0 {
		head.Filters.Top = &q.Top
	}
	return writeJSON(w, head, func(yield func(jsonInterval) bool) {
		r.each(func(i profile.Interval, row profile.Row) bool {
			line := jsonInterval{From: thousandths(i.From.Seconds()), To: thousandths(i.To.Seconds()),
				Clock:            r.clock(i.From, clockJSON),
				ObjectsPerSecond: thousandths(rate(row.Amount.Objects, i)),
				jsonRow:          newJSONRow(r.Profile, q.Query, row)}
			if r.Profile.ProgramBytecodes > 0 {
				line.FromBytecodes, line.ToBytecodes = &i.FromBytecodes, &i.ToBytecodes
			}
			if r.Profile.Bytecodes && !q.Parts {
				line.jsonBytecodes = newJSONBytecodes(row.Amount)
			}
			if row.Amount.BytesKnown() {
				perSecond := thousandths(rate(row.Amount.Bytes, i))
				line.BytesPerSecond = &perSecond
			}
			line.Meanwhile = r.eventNames(i)
			return yield(line)
		})
	})
}

func thousandths(v float64) float64 { return math.Round(v*1000) / 1000 }

// each calls yield with the rows of all intervals, until it is false.
func (r *OverTimeReport) each(yield func(profile.Interval, profile.Row) bool) {
	for _, i := range r.Timeline.Intervals {
		if !r.Timeline.Query.Parts && !yield(i, profile.Row{Amount: i.Amount}) {
			return
		}
		for k, row := range r.Timeline.Rows {
			if row.Amount = i.Parts[k]; !row.Amount.IsZero() && !yield(i, row) {
				return
			}
		}
	}
}

// CSV writes the rows of the JSON form.
func (r *OverTimeReport) CSV(w io.Writer) error {
	columns := []csvColumn{csvObjects, csvBytes}
	switch {
	case r.Timeline.Query.Parts:
		columns = csvColumnsOf(r.Profile, r.Timeline.Query.Query)
	case r.Profile.Bytecodes:
		columns = append(columns, csvBytecodes...)
	}
	out := csv.NewWriter(w)
	record := []string{"from", "to"}
	if r.hasClock() {
		record = append(record, "clock")
	}
	if len(r.Events) > 0 {
		record = append(record, "meanwhile")
	}
	if r.Profile.ProgramBytecodes > 0 {
		record = append(record, "from_bytecodes", "to_bytecodes")
	}
	for _, c := range columns {
		record = append(record, c.name)
	}
	out.Write(record)
	r.each(func(i profile.Interval, row profile.Row) bool {
		record = append(record[:0], instant(i.From), instant(i.To))
		if r.hasClock() {
			record = append(record, r.clock(i.From, clockJSON))
		}
		if len(r.Events) > 0 {
			record = append(record, strings.Join(r.eventNames(i), "; "))
		}
		if r.Profile.ProgramBytecodes > 0 {
			record = append(record, strconv.FormatInt(i.FromBytecodes, 10), strconv.FormatInt(i.ToBytecodes, 10))
		}
		for _, c := range columns {
			record = append(record, c.cell(r.Profile, row))
		}
		out.Write(record)
		return true
	})
	out.Flush()
	return out.Error()
}
