package export

import (
	"fmt"
	"io"
	"time"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// HeapRates are classes in the heap of a program that runs.
type HeapRates struct {
	History  *heap.History
	Latest   *heap.Latest // nil where no collection has come of which it is known what it has left
	ByGrowth bool         // rows are those that have grown
}

// header says which heap it is.
func (r *HeapRates) header(f *facts) {
	if r.Latest == nil {
		f.add("Heap", "not known before the second collection")
		return
	}
	text := momentText(r.History, r.Latest.To) + ": " + heapAmount(r.Latest.Selected.After)
	if r.Latest.From != r.Latest.To {
		grown := r.Latest.Selected.Difference()
		text += fmt.Sprintf("; %s and %s since %s", signed(grown.Objects)+" "+plural(grown.Objects, "object"),
			signed(grown.Bytes)+" "+plural(grown.Bytes, "byte"), r.before())
	}
	f.add("Heap", text)
}

// before names the moment that amounts are compared with.
func (r *HeapRates) before() string {
	if r.Latest.From == heap.Start {
		return "the start"
	}
	if number := r.History.Pauses[r.Latest.From].Collection; number != heap.None {
		return fmt.Sprintf("gc:%d", number)
	}
	return "the collection before"
}

// rowsText says which rows there are.
func (r *HeapRates) rowsText() string {
	if r.Latest == nil {
		return "none"
	}
	order := r.Latest.Sort.String()
	if r.ByGrowth {
		order = "growth in " + order
	}
	text := counted(int64(r.Latest.Count), "class")
	if n := len(r.Latest.Rows); n < r.Latest.Count {
		text = fmt.Sprintf("%d of %s", n, text)
	}
	text += ", sorted by " + order
	if r.Latest.Class != "" {
		text += "; class " + r.Latest.Class
	}
	return text
}

// table writes the rows.
func (r *HeapRates) table(w io.Writer) error {
	if r.Latest == nil {
		return nil
	}
	bytes, objects := column{title: "Bytes"}, column{title: "Objects"}
	share := column{title: "Byte%"}
	moreBytes, moreObjects := column{title: "+Bytes"}, column{title: "+Objects"}
	class := column{title: "Class", left: true}
	for _, row := range r.Latest.Rows {
		grown := row.Difference()
		bytes.cells = append(bytes.cells, grouped(row.After.Bytes))
		share.cells = append(share.cells, percent(row.After.Bytes, r.Latest.Selected.After.Bytes))
		objects.cells = append(objects.cells, grouped(row.After.Objects))
		moreBytes.cells = append(moreBytes.cells, signed(grown.Bytes))
		moreObjects.cells = append(moreObjects.cells, signed(grown.Objects))
		class.cells = append(class.cells, r.History.Title(row.Class))
	}
	columns := []column{objects, bytes, share}
	if r.Latest.From != r.Latest.To {
		columns = append(columns, moreObjects, moreBytes)
	}
	return writeColumns(w, append(columns, class))
}

// collectionsText sums up the collections of a span, and says what the last one did, which may have come before it.
func collectionsText(all *profile.EventTable, p *profile.Profile) string {
	var paused, longest time.Duration
	rows := all.Within(p.Span).Rows
	for _, row := range rows {
		if pause, is := all.Value(row, "pause").(time.Duration); is {
			paused += pause
			longest = max(longest, pause)
		}
	}
	text := "none"
	if len(rows) > 0 {
		text = fmt.Sprintf("%s, %.1f ms paused, %.1f ms at most", grouped(int64(len(rows))), paused.Seconds()*1000,
			longest.Seconds()*1000)
	}
	for i := len(all.Rows) - 1; i >= 0; i-- {
		row := all.Rows[i]
		before, is := all.Value(row, "before").(int64)
		after, known := all.Value(row, "after").(int64)
		if !is || !known {
			continue
		}
		text += "; last"
		if !p.Started.IsZero() {
			text += p.Started.Add(row.At).Local().Format(" 15:04:05")
		}
		for _, of := range []string{"kind", "cause"} {
			if word, is := all.Value(row, of).(string); is {
				text += ", " + word
			}
		}
		text += fmt.Sprintf(": heap %s before, %s after", roundBytes(float64(before)), roundBytes(float64(after)))
		break
	}
	return text
}
