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
	objects, bytes, share := column{title: "Objects"}, column{title: "Bytes"}, column{title: "Byte%"}
	selfObjects, selfBytes := column{title: "Self objects"}, column{title: "Self bytes"}
	selfShare := column{title: "Self%"}
	add := func(a profile.Amount, objects, bytes, share *column) {
		objects.cells = append(objects.cells, grouped(a.Objects))
		text, part := "?", "?"
		if a.BytesKnown() {
			text, part = grouped(a.Bytes), percent(a.Bytes, r.Profile.Total.Bytes)
		}
		bytes.cells, share.cells = append(bytes.cells, text), append(share.cells, part)
	}
	for _, row := range r.Answer.Rows {
		add(row.Amount, &objects, &bytes, &share)
		add(row.Self, &selfObjects, &selfBytes, &selfShare)
	}
	numbers := []column{objects, bytes, share}
	if r.Profile.Tracked {
		numbers = append(numbers, selfObjects, selfBytes, selfShare)
	}
	return append(numbers, r.nameColumns()...)
}
