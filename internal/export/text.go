package export

import (
	"fmt"
	"io"

	"mallard/internal/profile"
	"mallard/internal/symbols"
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
	answer := r.Answer
	all := counted(int64(answer.Count), rowNouns[answer.Query.By])
	if len(answer.Rows) == answer.Count {
		return fmt.Sprintf("%s, sorted by %s", all, answer.Query.Sort)
	}
	if answer.Query.By == profile.ByCaller { // they are parts of each other
		return fmt.Sprintf("%s of %s, sorted by %s", grouped(int64(len(answer.Rows))), all, answer.Query.Sort)
	}
	var shown int64
	for _, row := range answer.Rows {
		shown += r.value(row.Amount)
	}
	return fmt.Sprintf("%s of %s, sorted by %s: %s %% of the total", grouped(int64(len(answer.Rows))), all,
		answer.Query.Sort, percent(shown, r.value(r.Profile.Total)))
}

// rowNouns say what rows stand for.
var rowNouns = map[profile.By]string{
	profile.BySite: "site", profile.ByClass: "class", profile.ByMethod: "method", profile.ByThread: "thread name",
	profile.ByContext: "context", profile.ByElement: "element type", profile.ByTransaction: "transaction",
	profile.ByCaller: "line",
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
	if arrays && hasElements(r.Answer.Query.By) {
		columns = append(columns, elements)
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

// nameColumns say what each row stands for.
func (r *Report) nameColumns() []column {
	return nameColumns(r.Answer.Query.By, r.Answer.Rows, func(i int) string { return r.contextStack(r.Answer.Rows[i]) })
}

// nameColumns say what each row stands for; stack is that of a row by context.
func nameColumns(by profile.By, rows []profile.Row, stack func(i int) string) []column {
	classes := column{title: "Class", left: true}
	sites := column{title: "Site", left: true}
	methods := column{title: "Method", left: true}
	stacks := column{title: "Stack", left: true}
	elements := column{title: "Arrays of", left: true}
	transactions := column{title: "Transaction", left: true}
	lines := column{title: "Line", left: true}
	threads, howMany := column{title: "Thread", left: true}, column{title: "Threads"}
	label := siteLabels(rows)
	for i, row := range rows {
		switch by {
		case profile.BySite:
			classes.cells = append(classes.cells, row.Class)
			sites.cells = append(sites.cells, label(row.Site)+inLoader(row.Loader))
		case profile.ByTransaction:
			transactions.cells = append(transactions.cells, transactionText(row.Transaction))
		case profile.ByElement:
			elements.cells = append(elements.cells, row.Class)
		case profile.ByClass:
			classes.cells = append(classes.cells, row.Class+inLoader(row.Loader))
		case profile.ByMethod:
			name := methodName(row.Site) + symbols.Parameters(row.Site.Descriptor)
			methods.cells = append(methods.cells, name+inLoader(row.Loader))
		case profile.ByContext:
			classes.cells = append(classes.cells, row.Class)
			stacks.cells = append(stacks.cells, stack(i))
		case profile.ByThread:
			threads.cells = append(threads.cells, row.Thread)
			howMany.cells = append(howMany.cells, grouped(int64(row.Threads)))
		case profile.ByCaller:
			lines.cells = append(lines.cells, stackLine(row.Site, false)+inLoader(row.Loader))
		}
	}
	return map[profile.By][]column{
		profile.BySite:        {classes, sites},
		profile.ByClass:       {classes},
		profile.ByMethod:      {methods},
		profile.ByElement:     {elements},
		profile.ByTransaction: {transactions},
		profile.ByThread:      {howMany, threads},
		profile.ByContext:     {classes, stacks},
		profile.ByCaller:      {lines},
	}[by]
}

// siteLabels returns how to print the sites of rows: like a line of a Java stack trace, with the bytecode index where
// that alone tells two apart.
func siteLabels(rows []profile.Row) func(*profile.Site) string {
	type namedSite struct{ label, loader, class string }
	times := map[namedSite]int{}
	for _, row := range rows {
		if row.Site != nil {
			times[namedSite{stackLine(row.Site, false), row.Loader, row.Class}]++
		}
	}
	return func(site *profile.Site) string {
		return stackLine(site, times[namedSite{stackLine(site, false), site.Loader, site.Type}] > 1)
	}
}

// transactionText names a row by transaction.
func transactionText(name string) string {
	if name == "" {
		return "(none)"
	}
	return name
}
