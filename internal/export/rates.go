package export

import (
	"fmt"
	"io"
	"math"
	"strings"

	"mallard/internal/profile"
)

// RatesReport says what a program allocates at the moment: what it did in a span, by the second.
type RatesReport struct {
	File        string
	Profile     *profile.Profile    // of the span
	Answer      *profile.Answer     // its rows
	Collections *profile.EventTable // all that are known; nil where they were not recorded
	Heap        *HeapRates          // in place of Answer's rows: classes in the heap
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
		f.add("Collections", collectionsText(r.Collections, r.Profile))
	}
	if r.Heap != nil {
		r.Heap.header(&f)
	}
	return strings.Split(strings.TrimSuffix(f.b.String(), "\n"), "\n")
}

// RowsText says which rows there are, and what they are.
func (r *RatesReport) RowsText() string {
	if r.Heap != nil {
		return r.Heap.rowsText()
	}
	text := (&Report{Profile: r.Profile, Answer: r.Answer}).rowsText()
	if f := filterText(r.Answer.Query.Filter); f != "" {
		text += "; " + f
	}
	if mine := r.Answer.Query.Mine; mine != nil {
		text += "; your code: " + mineText(mine)
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
	if r.Heap != nil {
		return r.Heap.table(w)
	}
	names := (&Report{File: r.File, Profile: r.Profile, Answer: r.Answer}).nameColumns()
	if r.Answer.Query.By == profile.ByCaller {
		return writeColumns(w, append(r.callerColumns(), names...))
	}
	columns := r.amountColumns("", func(row *profile.Row) profile.Amount { return row.Amount })
	cumulative := column{title: "Cum%"}
	by, sum := r.Answer.Query.Sort, int64(0)
	for i := range r.Answer.Rows {
		sum += by.Value(r.Answer.Rows[i].Amount)
		cumulative.cells = append(cumulative.cells, percent(sum, by.Value(r.Profile.Total)))
	}
	return writeColumns(w, append(append(columns, cumulative), names...))
}

// amountColumns are amounts by the second, with their shares of all that was allocated.
func (r *RatesReport) amountColumns(prefix string, of func(*profile.Row) profile.Amount) []column {
	objects, bytes := column{title: prefix + "Objects/s"}, column{title: prefix + "Bytes/s"}
	share := column{title: prefix + "Byte%"}
	by := r.Answer.Query.Sort
	if by != profile.SortBytes {
		share.title = prefix + "Obj%"
	}
	for i := range r.Answer.Rows {
		a := of(&r.Answer.Rows[i])
		objects.cells = append(objects.cells, grouped(r.perSecond(a.Objects)))
		text := "?"
		if a.BytesKnown() {
			text = grouped(r.perSecond(a.Bytes))
		}
		bytes.cells = append(bytes.cells, text)
		share.cells = append(share.cells, percent(by.Value(a), by.Value(r.Profile.Total)))
	}
	return []column{objects, bytes, share}
}

// callerColumns are those of lines of the user's code, which are parts of each other.
func (r *RatesReport) callerColumns() []column {
	columns := r.amountColumns("", func(row *profile.Row) profile.Amount { return row.Amount })
	if r.Profile.Tracked {
		self := r.amountColumns("Self ", func(row *profile.Row) profile.Amount { return row.Self })
		columns = append(columns, self...)
	}
	return columns
}
