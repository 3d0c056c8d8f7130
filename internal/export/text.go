package export

import (
	"fmt"
	"io"

	"mallard/internal/profile"
)

// Text writes the report for a reader: what the numbers are of, then the rows.
func (r *Report) Text(w io.Writer) error {
	err := r.writeFacts(w, "Showing", append([]string{r.rowsText()}, r.mineLines()...)...)
	if err != nil || len(r.Answer.Rows) == 0 {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	if r.Answer.Query.By == profile.ByCaller {
		return writeColumns(w, r.callerColumns())
	}
	return writeColumns(w, append(r.numberColumns(), r.nameColumns()...))
}

// rowsText says which rows follow, and how much of the whole they are.
func (r *Report) rowsText() string {
	answer, sorted := r.Answer, r.Answer.Query.Sort.String()
	areParts := answer.Query.By == profile.ByCaller // of each other
	if answer.Query.Sort == profile.SortInclusive {
		sorted, areParts = sorted+" bytes", true
	}
	all := counted(int64(answer.Count), rowNouns[answer.Query.By])
	if len(answer.Rows) == answer.Count {
		return fmt.Sprintf("%s, sorted by %s", all, sorted)
	}
	if areParts {
		return fmt.Sprintf("%s of %s, sorted by %s", grouped(int64(len(answer.Rows))), all, sorted)
	}
	var shown int64
	for _, row := range answer.Rows {
		shown += r.value(row.Amount)
	}
	return fmt.Sprintf("%s of %s, sorted by %s: %s %% of the total", grouped(int64(len(answer.Rows))), all,
		sorted, percent(shown, r.value(r.Profile.Total)))
}

// numberColumns are the amounts with their shares of the total.
func (r *Report) numberColumns() []column {
	objects, objectShare := column{title: "Objects"}, column{title: "Obj%"}
	bytes, byteShare := column{title: "Bytes"}, column{title: "Byte%"}
	elements, cumulative := column{title: "Elements"}, column{title: "Cum%"}
	total, sum, arrays := r.Profile.Total, int64(0), false
	for _, row := range r.Answer.Rows {
		a := row.Amount
		objects.cells = append(objects.cells, grouped(a.Objects))
		objectShare.cells = append(objectShare.cells, percent(a.Objects, total.Objects))
		byteText, share := "?", "?"
		if a.BytesKnown() {
			byteText, share = grouped(a.Bytes), percent(a.Bytes, total.Bytes)
		}
		bytes.cells = append(bytes.cells, byteText)
		byteShare.cells = append(byteShare.cells, share)
		sum += r.value(a)
		cumulative.cells = append(cumulative.cells, percent(sum, r.value(total)))
		elementText := ""
		if row.Array {
			arrays, elementText = true, grouped(a.Elements)
		}
		elements.cells = append(elements.cells, elementText)
	}
	columns := []column{objects, objectShare, bytes, byteShare, cumulative}
	if r.Answer.Query.Sort == profile.SortInclusive { // a sum in that order says nothing
		columns = columns[:len(columns)-1]
	}
	if hasInclusive(r.Profile, r.Answer.Query) {
		columns = append(columns, r.inclusiveColumns()...)
	}
	if arrays && hasElements(r.Answer.Query.By) {
		columns = append(columns, elements)
	}
	if hasSizes(r.Answer.Rows) {
		columns = append(columns, transactionColumns(r.Answer.Rows)...)
	}
	if hasBytecodes(r.Profile, r.Answer.Query.By) {
		var amounts []profile.Amount
		for _, row := range r.Answer.Rows {
			amounts = append(amounts, row.Amount)
		}
		columns = append(columns, bytecodeColumns(amounts)...)
	}
	return columns
}
