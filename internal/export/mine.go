package export

import (
	"fmt"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// mineLines say which code is the user's, and what is not known of it.
func (r *Report) mineLines() (lines []string) {
	answer := r.Answer
	mine := answer.Query.Mine
	if mine == nil {
		return nil
	}
	line := "your code: " + mine.Text()
	if mine.Guessed != "" {
		line += " (assumed: " + mine.Guessed + "; --mine changes that)"
	}
	lines = append(lines, line)
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

// contextStack prints the stack of a row by context.
func (r *Report) contextStack(row profile.Row) string {
	return contextStack(r.Profile, row, r.Answer.Query.Mine)
}

func contextStack(p *profile.Profile, row profile.Row, mine *profile.Mine) string {
	return compactStack(foldStack(p.Stack(row.Site, row.Context), mine))
}

// folded stands for frames that are not the user's.
var folded = &symbols.Method{Name: "…"}

// foldStack has one frame for those that follow each other and are not the user's, but for the innermost one.
func foldStack(stack []symbols.Frame, mine *profile.Mine) []symbols.Frame {
	if mine == nil {
		return stack
	}
	short := []symbols.Frame{}
	for i, f := range stack {
		switch {
		case i == 0 || mine.IsMethod(f.Method):
			short = append(short, f)
		case short[len(short)-1].Method != folded:
			short = append(short, symbols.Frame{Method: folded, Line: -1})
		}
	}
	return short
}
