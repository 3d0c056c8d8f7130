package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"time"

	"mallard/internal/profile"
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// The JSON form of a report. Null means unknown; a field that does not apply
// to a row is absent.
type (
	jsonReport struct {
		Schema       string      `json:"schema"`
		File         string      `json:"file"`
		Filters      jsonFilters `json:"filters"`
		Totals       jsonAmount  `json:"totals"`
		Selected     jsonAmount  `json:"selected"`
		Unattributed struct {
			jsonAmount
			VMStart *int64 `json:"vm_start"` // of the bytes
		} `json:"unattributed"`
		Losses []jsonLoss `json:"losses"`
	}
	jsonFilters struct {
		By             string   `json:"by"`
		Every          *float64 `json:"every,omitempty"`
		EveryBytecodes *int64   `json:"every_bytecodes,omitempty"`
		From           *float64 `json:"from,omitempty"`
		To             *float64 `json:"to,omitempty"`
		Sort           *string  `json:"sort"`
		Top            *int     `json:"top"`
		Class          *string  `json:"class"`
		Method         *string  `json:"method"`
		Thread         *string  `json:"thread"`
		Under          *string  `json:"under"`
		Transaction    *string  `json:"transaction"`
		Mine           *string  `json:"mine,omitempty"`
	}
	jsonAmount struct {
		Objects   *int64 `json:"objects"`
		Bytes     *int64 `json:"bytes"`
		Bytecodes *int64 `json:"bytecodes,omitempty"`
	}
	jsonLoss struct {
		Kind   string `json:"kind"`
		Count  uint64 `json:"count"`
		Detail string `json:"detail"`
	}
	jsonRow struct {
		jsonNames
		Objects     int64      `json:"objects"`
		Bytes       *int64     `json:"bytes"`
		Elements    *int64     `json:"elements,omitempty"`
		SelfObjects *int64     `json:"self_objects,omitempty"`
		SelfBytes   *int64     `json:"self_bytes,omitempty"`
		AllObjects  *int64     `json:"inclusive_objects,omitempty"`
		AllBytes    *int64     `json:"inclusive_bytes,omitempty"`
		Sizes       *jsonSizes `json:"sizes,omitempty"`
		jsonBytecodes
	}
	// jsonNames is what a row stands for.
	jsonNames struct {
		Class       string       `json:"class,omitempty"`
		Element     string       `json:"element,omitempty"`
		Site        *jsonSite    `json:"site,omitempty"`
		Stack       []jsonFrame  `json:"stack,omitempty"`
		Loader      string       `json:"loader,omitempty"`
		Thread      string       `json:"thread,omitempty"`
		Threads     int          `json:"threads,omitempty"`
		Transaction string       `json:"transaction,omitempty"`
		Program     *jsonProgram `json:"program,omitempty"`
	}
	// jsonProgram is one of those that a recording is the sum of.
	jsonProgram struct {
		Name    string  `json:"name"` // main class, jar or module; empty unknown
		PID     int64   `json:"pid"`
		File    string  `json:"file"` // empty where it is the recording's own
		Started *string `json:"started"`
		Seconds float64 `json:"seconds"`
	}
	jsonSite struct {
		Class      string `json:"class"`
		Method     string `json:"method"`
		Descriptor string `json:"descriptor"`
		Line       *int32 `json:"line,omitempty"`
		BCI        *int32 `json:"bci,omitempty"`
	}
	jsonFrame struct {
		Class  string `json:"class,omitempty"`
		Method string `json:"method"`
		Line   int32  `json:"line"`
		BCI    int32  `json:"bci"`
		Native bool   `json:"native,omitempty"`
	}
)

// JSON writes the report as one JSON object, each row on a line of its own.
func (r *Report) JSON(w io.Writer) error {
	q := r.Answer.Query
	head := newJSONReport(r.File, r.Profile, q.By.String(), q.Filter, r.Answer.Selected)
	head.Filters.Sort = optional(q.Sort.String())
	if q.Top > 0 {
		head.Filters.Top = &q.Top
	}
	if q := r.Answer.Query; q.Mine != nil {
		head.Filters.Mine = optional(q.Mine.Text())
	}
	return writeJSON(w, head, func(yield func(jsonRow) bool) {
		for _, row := range r.Answer.Rows {
			if !yield(newJSONRow(r.Profile, q, row)) {
				return
			}
		}
	})
}

// Samples writes everything that a profile has and the filter selects in the
// JSON form of reports: a row for each site and thread, or for each context and
// thread where contexts were tracked.
func Samples(w io.Writer, file string, p *profile.Profile, filter profile.Filter) error {
	var selected profile.Amount
	for sample := range p.Samples(filter) {
		selected.Add(sample.Amount)
	}
	by := profile.BySite
	if p.Tracked {
		by = profile.ByContext
	}
	head, in := newJSONReport(file, p, by.String()+",thread", filter, selected), p.Transactions()
	return writeJSON(w, head, func(yield func(jsonRow) bool) {
		for sample := range p.Samples(filter) {
			site := sample.Site
			if site.Executed && !hasBytecodes(p, by) {
				continue
			}
			row := newJSONRow(p, profile.Query{By: by}, profile.Row{
				Class: site.Type, Array: site.Array, Site: site, Loader: site.Loader,
				Thread: sample.Thread.Title(), Context: sample.Context, Amount: sample.Amount,
				Transaction: p.TransactionName(in[sample.Context]),
			})
			if !yield(row) {
				return
			}
		}
	})
}

func newJSONReport(file string, p *profile.Profile, by string, filter profile.Filter,
	selected profile.Amount) jsonReport {
	report := jsonReport{
		Schema: Schema,
		File:   file,
		Filters: jsonFilters{
			By:          by,
			Class:       optional(filter.Class),
			Method:      optional(filter.Method),
			Thread:      optional(filter.Thread),
			Under:       optional(filter.Under),
			Transaction: optional(filter.Transaction),
		},
		Totals:   newJSONAmount(p.Total),
		Selected: newJSONAmount(selected),
		Losses:   newJSONLosses(p),
	}
	if p.Span != nil {
		from, to := p.Span.From.Seconds(), p.Span.To.Seconds()
		report.Filters.From, report.Filters.To = &from, &to
	}
	if p.Bytecodes {
		report.Totals.Bytecodes, report.Selected.Bytecodes = &p.Total.Bytecodes, &selected.Bytecodes
	}
	if r := p.Reconciliation; r != nil {
		bytes := r.AtNoSite()
		report.Unattributed.Bytes, report.Unattributed.VMStart = &bytes, &r.VMStart
	}
	return report
}

func newJSONAmount(a profile.Amount) jsonAmount {
	amount := jsonAmount{Objects: &a.Objects}
	if a.BytesKnown() {
		amount.Bytes = &a.Bytes
	}
	return amount
}

func newJSONLosses(p *profile.Profile) []jsonLoss {
	losses := []jsonLoss{}
	for _, loss := range p.Losses {
		losses = append(losses, jsonLoss(loss))
	}
	return losses
}

func newJSONRow(p *profile.Profile, q profile.Query, row profile.Row) jsonRow {
	by := q.By
	amount := newJSONAmount(row.Amount)
	out := jsonRow{jsonNames: newJSONNames(p, by, row), Objects: row.Amount.Objects, Bytes: amount.Bytes,
		Sizes: newJSONSizes(row.Sizes)}
	if hasBytecodes(p, by) {
		out.jsonBytecodes = newJSONBytecodes(row.Amount)
	}
	if row.Array && hasElements(by) {
		out.Elements = &row.Amount.Elements
	}
	if by == profile.ByCaller {
		self := newJSONAmount(row.Self)
		out.SelfObjects, out.SelfBytes = self.Objects, self.Bytes
	}
	if hasInclusive(p, q) {
		all := newJSONAmount(row.Inclusive)
		out.AllObjects, out.AllBytes = all.Objects, all.Bytes
	}
	return out
}

func newJSONNames(p *profile.Profile, by profile.By, row profile.Row) jsonNames {
	out := jsonNames{Class: row.Class, Loader: row.Loader, Thread: row.Thread, Threads: row.Threads,
		Transaction: row.Transaction}
	if row.Program != nil {
		out.Program = newJSONProgram(row.Program)
	}
	if by == profile.ByElement {
		out.Class, out.Element = "", row.Class
	}
	if site := row.Site; site != nil {
		out.Site = &jsonSite{Class: site.Class, Method: site.Method, Descriptor: site.Descriptor}
		if by == profile.BySite || by == profile.ByContext || by == profile.ByCaller {
			out.Site.Line = &site.Line
		}
		if by == profile.BySite || by == profile.ByContext {
			out.Site.BCI = &site.BCI
		}
	}
	if by == profile.ByContext {
		out.Stack = jsonStack(foldStack(p.Stack(row.Site, row.Context), row.Folded))
	}
	return out
}

func newJSONProgram(p *trace.Program) *jsonProgram {
	main, _ := profile.MainProgram(p.Command)
	out := &jsonProgram{Name: main, PID: p.PID, File: p.File, Seconds: time.Duration(p.Nanos).Seconds()}
	if p.Started != 0 {
		out.Started = optional(time.Unix(0, p.Started).UTC().Format(time.RFC3339Nano))
	}
	return out
}

// jsonStack returns nil for nil.
func jsonStack(stack []symbols.Frame) []jsonFrame {
	if stack == nil {
		return nil
	}
	frames := []jsonFrame{}
	for _, f := range stack {
		frames = append(frames, jsonFrame{f.Class, f.Name, f.Line, f.BCI, f.Native})
	}
	return frames
}

// optional returns nil for an empty string.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// writeJSON writes head with the rows as its last member. Rows are written as
// they come: there may be millions.
func writeJSON[Row any](w io.Writer, head any, rows iter.Seq[Row]) error {
	text, err := marshal(head, "  ")
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	out.Write(bytes.TrimSuffix(text, []byte("\n}")))
	out.WriteString(",\n  \"rows\": [")
	separator, end := "\n    ", "]\n}\n"
	for row := range rows {
		line, err := marshal(row, "")
		if err != nil {
			return err
		}
		out.WriteString(separator)
		out.Write(line)
		separator, end = ",\n    ", "\n  ]\n}\n"
	}
	out.WriteString(end)
	return out.Flush()
}

// marshal is json.Marshal that leaves the < of <init> as it is.
func marshal(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
