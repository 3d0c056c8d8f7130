package export

import (
	"mallard/internal/heap"
	"mallard/internal/profile"
)

// addStayed says how much was held at both moments, and why that is not known.
func (r *HeapReport) addStayed(d *heap.Diff) {
	b, text := d.Stayed, heapAmount(d.Stayed.Least)
	if !b.AreExact() {
		text = between(b.Least.Objects, b.Most.Objects) + " objects, " + between(b.Least.Bytes, b.Most.Bytes) + " bytes"
		if d.Singly {
			text += ": not all single objects are known"
		} else {
			text += `: "run --each-object" tells`
		}
	}
	r.facts.add("Stayed", text)
}

// between is a number, or what it is between.
func between(least, most int64) string {
	if least == most {
		return grouped(least)
	}
	return grouped(least) + " to " + grouped(most)
}

// stayedColumns say how much stayed: in text one number if it is known, else two; in other forms both.
func stayedColumns[Row any](stayed func(Row) heap.Bounds) (columns []heapColumn[Row]) {
	text := func(title string, value func(heap.Amount) int64) {
		columns = append(columns, heapColumn[Row]{title: title, unit: profile.Number, only: inText,
			value: func(r Row) any { return between(value(stayed(r).Least), value(stayed(r).Most)) }})
	}
	text("Stayed", func(a heap.Amount) int64 { return a.Objects })
	text("Stayed bytes", func(a heap.Amount) int64 { return a.Bytes })
	bounds := append(amountColumns("stayed", "", func(r Row) heap.Amount { return stayed(r).Least }),
		amountColumns("stayed_most", "", func(r Row) heap.Amount { return stayed(r).Most })...)
	for _, c := range bounds {
		c.only = inJSON | inCSV
		columns = append(columns, c)
	}
	return columns
}
