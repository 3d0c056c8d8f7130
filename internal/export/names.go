package export

import (
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// rowNouns say what rows stand for.
var rowNouns = map[profile.By]string{
	profile.BySite: "site", profile.ByClass: "class", profile.ByMethod: "method", profile.ByThread: "thread name",
	profile.ByContext: "context", profile.ByElement: "element type", profile.ByTransaction: "transaction",
	profile.ByCaller: "line", profile.ByProgram: "program",
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
	programs, files := column{title: "Program", left: true}, column{title: "Recording", left: true}
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
		case profile.ByProgram:
			programs.cells = append(programs.cells, programName(row.Program))
			files.cells = append(files.cells, row.Program.File)
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
		profile.ByProgram:     {programs, files},
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
