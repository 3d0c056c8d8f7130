package export

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// Text writes the report for a reader: what the numbers are of, then the rows.
func (r *Report) Text(w io.Writer) error {
	if err := r.writeFacts(w, "Rows", r.rowsText()); err != nil || len(r.Answer.Rows) == 0 {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return writeColumns(w, append(r.numberColumns(), r.nameColumns()...))
}

// writeFacts says what the numbers are of. The lines with the label say what follows.
func (r *Report) writeFacts(w io.Writer, label string, what ...string) error {
	var f facts
	p, answer := r.Profile, r.Answer
	f.add("Recording", r.File)
	addProcess(&f, p)
	f.add("Total", amount(p.Total))
	if p.Bytecodes {
		f.add("Executed", executedText(p.Total))
	}
	if reconciled := p.Reconciliation; reconciled != nil {
		f.add("Besides", unattributedText(reconciled))
	}
	f.add("Units", "objects include arrays; bytes are those on the heap, headers and alignment included")
	if filter := answer.Query.Filter; filter.IsZero() {
		f.add("Filter", "none")
	} else {
		f.add("Filter", filterText(filter), amount(answer.Selected))
	}
	f.add(label, what...)
	f.add("Losses", lossLines(p)...)
	f.add("Skipped", skippedLines(p, reportSkipped, r.File)...)
	return f.writeTo(w)
}

// reportSkipped is how many skipped classes a report names.
const reportSkipped = 5

// addProcess says what ran.
func addProcess(f *facts, p *profile.Profile) {
	if p.Process != nil {
		f.add("Program", commandLine(p.Process.Command))
		collector := ""
		if p.Process.GC != "" {
			collector = p.Process.GC + ", "
		}
		f.add("JVM", fmt.Sprintf("%s %s, %spid %d", p.Process.JVMName, p.Process.JVMVersion, collector, p.Process.PID))
	}
	when := "ran " + seconds(p.Duration)
	if !p.Started.IsZero() {
		when = p.Started.UTC().Format(time.RFC3339) + ", " + when
	}
	f.add("Started", when)
	if span := p.Span; span != nil {
		f.add("Span", fmt.Sprintf("%s to %s, the snapshots nearest to what was asked for", seconds(span.From),
			seconds(span.To)))
	}
}

// commandLine prints arguments so that they can be told apart.
func commandLine(arguments []string) string {
	quoted := make([]string, len(arguments))
	for i, argument := range arguments {
		quoted[i] = argument
		if argument == "" || strings.ContainsAny(argument, " \t\n\"'\\") {
			quoted[i] = strconv.Quote(argument)
		}
	}
	return strings.Join(quoted, " ")
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s" }

func amount(a profile.Amount) string {
	text := counted(a.Objects, "object") + ", "
	if !a.BytesKnown() {
		return text + "bytes unknown"
	}
	text += exactBytes(a.Bytes)
	if a.Unsized != 0 {
		text += " without " + counted(a.Unsized, "object") + " of unknown size"
	}
	return text
}

func filterText(filter profile.Filter) string {
	var parts []string
	for _, part := range []struct{ name, pattern string }{
		{"type", filter.Class}, {"method", filter.Method}, {"thread", filter.Thread}, {"under",
			filter.Under}, {"transaction", filter.Transaction},
	} {
		if part.pattern != "" {
			parts = append(parts, part.name+" "+part.pattern)
		}
	}
	return strings.Join(parts, ", ")
}

// rowsText says which rows follow, and how much of the whole they are.
func (r *Report) rowsText() string {
	answer := r.Answer
	noun := map[profile.By]string{
		profile.BySite: "site", profile.ByClass: "type", profile.ByMethod: "method", profile.ByThread: "thread name",
		profile.ByContext: "context",
		profile.ByElement: "element type", profile.ByTransaction: "transaction",
	}[answer.Query.By]
	all := counted(int64(answer.Count), noun)
	if len(answer.Rows) == answer.Count {
		return fmt.Sprintf("%s, by %s", all, answer.Query.Sort)
	}
	var shown int64
	for _, row := range answer.Rows {
		shown += r.value(row.Amount)
	}
	return fmt.Sprintf("%d of %s, by %s: %s %% of the total", len(answer.Rows), all, answer.Query.Sort,
		percent(shown, r.value(r.Profile.Total)))
}

func lossLines(p *profile.Profile) []string {
	if len(p.Losses) == 0 {
		return []string{"none"}
	}
	var lines []string
	for _, loss := range p.Losses {
		lines = append(lines, lossLine(jsonLoss(loss)))
	}
	return lines
}

func lossLine(loss jsonLoss) string {
	kind := loss.Kind
	if loss.Count > 0 {
		kind += " (" + grouped(int64(loss.Count)) + ")"
	}
	return kind + ": " + loss.Detail
}

// skippedLines names classes that ran uncounted, at most limit of them.
func skippedLines(p *profile.Profile, limit int, file string) []string {
	if len(p.Skipped) == 0 {
		return []string{"none"}
	}
	lines := []string{counted(int64(len(p.Skipped)), "class") + " not counted"}
	for i, class := range p.Skipped {
		if i == limit {
			lines = append(lines, "and so on: mallard info "+file)
			break
		}
		lines = append(lines, class.Class+": "+class.Reason)
	}
	return lines
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
	types := column{title: "Type", left: true}
	sites := column{title: "Site", left: true}
	methods := column{title: "Method", left: true}
	stacks := column{title: "Stack", left: true}
	elements := column{title: "Arrays of", left: true}
	transactions := column{title: "Transaction", left: true}
	threads, howMany := column{title: "Thread", left: true}, column{title: "Threads"}
	label := r.siteLabels()
	for _, row := range r.Answer.Rows {
		switch r.Answer.Query.By {
		case profile.BySite:
			types.cells = append(types.cells, row.Class)
			sites.cells = append(sites.cells, label(row.Site)+inLoader(row.Loader))
		case profile.ByTransaction:
			transactions.cells = append(transactions.cells, transactionText(row.Transaction))
		case profile.ByElement:
			elements.cells = append(elements.cells, row.Class)
		case profile.ByClass:
			types.cells = append(types.cells, row.Class+inLoader(row.Loader))
		case profile.ByMethod:
			name := methodName(row.Site) + symbols.Parameters(row.Site.Descriptor)
			methods.cells = append(methods.cells, name+inLoader(row.Loader))
		case profile.ByContext:
			types.cells = append(types.cells, row.Class)
			stacks.cells = append(stacks.cells, compactStack(r.Profile.Stack(row.Site, row.Context)))
		case profile.ByThread:
			threads.cells = append(threads.cells, row.Thread)
			howMany.cells = append(howMany.cells, grouped(int64(row.Threads)))
		}
	}
	return map[profile.By][]column{
		profile.BySite:        {types, sites},
		profile.ByClass:       {types},
		profile.ByMethod:      {methods},
		profile.ByElement:     {elements},
		profile.ByTransaction: {transactions},
		profile.ByThread:      {howMany, threads},
		profile.ByContext:     {types, stacks},
	}[r.Answer.Query.By]
}

// siteLabels returns how to print the sites of the report: like a line of a
// Java stack trace, with the bytecode index where that alone tells two apart.
func (r *Report) siteLabels() func(*profile.Site) string {
	type namedSite struct{ label, loader, class string }
	times := map[namedSite]int{}
	for _, row := range r.Answer.Rows {
		if row.Site != nil {
			times[namedSite{stackLine(row.Site, false), row.Loader, row.Class}]++
		}
	}
	return func(site *profile.Site) string {
		return stackLine(site, times[namedSite{stackLine(site, false), site.Loader, site.Type}] > 1)
	}
}

// stackLine prints a site as a Java stack trace does:
// java.util.HashMap.newNode(HashMap.java:1797). Without a line the bytecode
// index says where; what the JVM makes for itself is made nowhere.
func stackLine(site *profile.Site, withBCI bool) string {
	var parts []string
	switch {
	case site.Source != "" && site.Line >= 0:
		parts = append(parts, fmt.Sprintf("%s:%d", site.Source, site.Line))
	case site.Source != "":
		parts = append(parts, site.Source)
	case site.Line >= 0:
		parts = append(parts, fmt.Sprintf("line %d", site.Line))
	}
	if site.BCI >= 0 && (withBCI || site.Line < 0) {
		parts = append(parts, fmt.Sprintf("bci %d", site.BCI))
	}
	if len(parts) == 0 {
		return methodName(site)
	}
	return methodName(site) + "(" + strings.Join(parts, ", ") + ")"
}

// transactionText names a row by transaction.
func transactionText(name string) string {
	if name == "" {
		return "(none)"
	}
	return name
}

func methodName(site *profile.Site) string { return site.Class + "." + site.Method }

func inLoader(loader string) string {
	if loader == "" {
		return ""
	}
	return " in " + loader
}
