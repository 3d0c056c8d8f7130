package export

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"mallard/internal/profile"
)

// RatesReport says what a program allocates at the moment: what it did in a span, by the second.
type RatesReport struct {
	File        string
	Profile     *profile.Profile    // of the span
	Answer      *profile.Answer     // its rows
	Collections *profile.EventTable // in the span; nil where they were not recorded
	Ended       bool                // there is no more to come
}

// Text writes it for a reader.
func (r *RatesReport) Text(w io.Writer) error {
	head := append(r.Header(), "Rows        "+r.RowsText(), "")
	if _, err := io.WriteString(w, strings.Join(head, "\n")+"\n"); err != nil {
		return err
	}
	return r.Table(w)
}

// Header says in lines what ran, when, and how much it allocated.
func (r *RatesReport) Header() []string {
	var f facts
	addProgram(&f, r.File, r.Profile)
	now := fmt.Sprintf("%s objects/s, %s/s", grouped(r.perSecond(r.Profile.Total.Objects)),
		roundBytes(float64(r.perSecond(r.Profile.Total.Bytes))))
	if span := r.Profile.Span; span != nil && !r.Profile.Started.IsZero() {
		now = r.Profile.Started.Add(span.To).Local().Format("15:04:05") + ", " + now
	}
	f.add("Now", now)
	if r.Collections != nil {
		f.add("Collections", collectionsText(r.Collections))
	}
	return strings.Split(strings.TrimSuffix(f.b.String(), "\n"), "\n")
}

// collectionsText sums them up.
func collectionsText(t *profile.EventTable) string {
	if len(t.Rows) == 0 {
		return "none"
	}
	column := func(name string) int {
		for i, c := range t.Columns {
			if c.Name == name {
				return i
			}
		}
		return -1
	}
	pause, after := column("pause"), column("after")
	var paused time.Duration
	left := int64(-1)
	for _, row := range t.Rows {
		if pause >= 0 {
			if d, is := row.Values[pause].(time.Duration); is {
				paused += d
			}
		}
		if after >= 0 {
			if n, is := row.Values[after].(int64); is {
				left = n
			}
		}
	}
	text := fmt.Sprintf("%s, %.1f ms paused", grouped(int64(len(t.Rows))), paused.Seconds()*1000)
	if left >= 0 {
		text += ", heap " + roundBytes(float64(left)) + " behind the last"
	}
	return text
}

// RowsText says which rows there are, and what they are.
func (r *RatesReport) RowsText() string {
	text := (&Report{Profile: r.Profile, Answer: r.Answer}).rowsText()
	if f := filterText(r.Answer.Query.Filter); f != "" {
		text += "; " + f
	}
	return text
}

// perSecond is a number by the second.
func (r *RatesReport) perSecond(n int64) int64 {
	seconds := r.Profile.Seconds()
	if seconds <= 0 {
		return 0
	}
	return int64(math.Round(float64(n) / seconds))
}

// Table writes the rows.
func (r *RatesReport) Table(w io.Writer) error {
	objects, bytes := column{title: "Objects/s"}, column{title: "Bytes/s"}
	share, cumulative := column{title: "Byte%"}, column{title: "Cum%"}
	by, total := r.Answer.Query.Sort, r.Profile.Total
	if by != profile.SortBytes {
		share.title = "Obj%"
	}
	var sum int64
	for _, row := range r.Answer.Rows {
		a := row.Amount
		objects.cells = append(objects.cells, grouped(r.perSecond(a.Objects)))
		text := "?"
		if a.BytesKnown() {
			text = grouped(r.perSecond(a.Bytes))
		}
		bytes.cells = append(bytes.cells, text)
		sum += by.Value(a)
		share.cells = append(share.cells, percent(by.Value(a), by.Value(total)))
		cumulative.cells = append(cumulative.cells, percent(sum, by.Value(total)))
	}
	names := (&Report{File: r.File, Profile: r.Profile, Answer: r.Answer}).nameColumns()
	return writeColumns(w, append([]column{objects, bytes, share, cumulative}, names...))
}
