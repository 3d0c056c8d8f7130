package export

import (
	"fmt"

	"mallard/internal/profile"
)

// mineLines say which code is the user's, and what is not known of it.
func (r *Report) mineLines() (lines []string) {
	answer := r.Answer
	mine := answer.Query.Mine
	if mine == nil {
		return nil
	}
	lines = append(lines, "your code: "+mineText(mine))
	if answer.Query.By != profile.ByCaller {
		return lines
	}
	if !answer.Others.IsZero() {
		lines = append(lines, fmt.Sprintf("not caused by it: %s, %s %% of the bytes", amount(answer.Others),
			percent(answer.Others.Bytes, r.Profile.Total.Bytes)))
	}
	if !r.Profile.Tracked {
		lines = append(lines, `callers are unknown: "run --track contexts" adds what these lines cause in other code`)
	}
	return lines
}

// mineText says which code is the user's.
func mineText(mine *profile.Mine) string {
	if mine.Guessed == "" {
		return mine.Text()
	}
	return mine.Text() + " (assumed: " + mine.Guessed + "; --mine changes that)"
}

// callerColumns are those of lines of the user's code: with all that they led to, and without what others of them did.
func (r *Report) callerColumns() []column {
	columns := r.partColumns("Objects", "Bytes", "Byte%", func(row *profile.Row) profile.Amount { return row.Amount })
	if r.Profile.Tracked {
		columns = append(columns, r.partColumns("Self objects", "Self bytes", "Self%",
			func(row *profile.Row) profile.Amount { return row.Self })...)
	}
	return append(columns, r.nameColumns()...)
}

// inclusiveColumns are those of methods with all that they called.
func (r *Report) inclusiveColumns() []column {
	return r.partColumns("Incl. objects", "Incl. bytes", "Incl%",
		func(row *profile.Row) profile.Amount { return row.Inclusive })
}

// partColumns are amounts that may be parts of each other, with their shares of all bytes.
func (r *Report) partColumns(objectsTitle, bytesTitle, shareTitle string,
	of func(*profile.Row) profile.Amount) []column {
	objects, bytes, share := column{title: objectsTitle}, column{title: bytesTitle}, column{title: shareTitle}
	for i := range r.Answer.Rows {
		a := of(&r.Answer.Rows[i])
		objects.cells = append(objects.cells, grouped(a.Objects))
		text, part := "?", "?"
		if a.BytesKnown() {
			text, part = grouped(a.Bytes), percent(a.Bytes, r.Profile.Total.Bytes)
		}
		bytes.cells, share.cells = append(bytes.cells, text), append(share.cells, part)
	}
	return []column{objects, bytes, share}
}
