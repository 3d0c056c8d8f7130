package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"slices"

	pprof "github.com/google/pprof/profile"

	"mallard/internal/heap"
	"mallard/internal/profile"
	"mallard/internal/replica"
	"mallard/internal/symbols"
)

// SampledSchema names the JSON form of answers about copies from samples.
const SampledSchema = "mallard.replicas.sampled/1"

// SampledReport is what samples say of copies, ready to be written:
//
//	Compared     by samples: 5,120 objects that were looked at whole; 843 pairs of 1,768 that were watched
//	Finding      …
//
//	Copies bytes  Copied  at least  Looked at  Reads     θ     ω     γ  Pairs  Objects  Class       Site
//	   1,234,567    0.79      0.68        400  1,000  0.79  0.79  0.89     72  100,000  demo.Point  …
type SampledReport struct {
	file    string
	profile *profile.Profile
	answer  *replica.SampledAnswer
	values  bool // contents are shown, where there are any
}

// ShowValues has examples of contents shown, in text and JSON. They are the program's data.
func (r *SampledReport) ShowValues() { r.values = true }

// NewSampledReport is of an answer.
func NewSampledReport(file string, p *profile.Profile, answer *replica.SampledAnswer) *SampledReport {
	return &SampledReport{file: file, profile: p, answer: answer}
}

// The JSON form.
type (
	jsonSampled struct {
		Schema  string         `json:"schema"`
		File    string         `json:"file"`
		Filters jsonHeapFilter `json:"filters"`
		Method  jsonSampling   `json:"method"`
		Losses  []jsonLoss     `json:"losses"`
	}
	jsonSampling struct {
		Replicas string `json:"replicas"`  // sampled
		Whole    int64  `json:"looked_at"` // objects, whole
		Watched  int64  `json:"watched"`
		Pairs    int64  `json:"pairs"`
		// shares of bytes: of what was sampled, and of what was compared
		Compared float64 `json:"compared"`
		Copied   float64 `json:"copied"`
	}
	jsonAccess struct {
		Stack      []jsonFrame `json:"stack"`
		Pairs      int64       `json:"pairs"`
		Theta      float64     `json:"theta"`
		Reads      int64       `json:"reads"`
		CopiesRead int64       `json:"reads_of_copies"`
	}
)

// share is a number from 0 to 1; nil where it is not known.
func share(x float64) any {
	if math.IsNaN(x) {
		return nil
	}
	return math.Round(x*1e4) / 1e4
}

func (r *SampledReport) rows() heapRows {
	type row = replica.SampledRow
	ratio := func(name, title string, only heapForm, value func(row) float64) heapColumn[row] {
		return heapColumn[row]{name: name, title: title, unit: profile.Ratio, only: only,
			value: func(r row) any { return share(value(r)) }}
	}
	number := func(name, title string, only heapForm, value func(row) int64) heapColumn[row] {
		return heapColumn[row]{name: name, title: title, unit: profile.Bytes, only: only,
			value: func(r row) any { return value(r) }}
	}
	const data = inJSON | inCSV
	columns := []heapColumn[row]{
		number("bytes_saved", "Copies bytes", 0, func(r row) int64 { return r.Copies.Bytes }),
		ratio("copied", "Copied", 0, func(r row) float64 { return r.AsWhole.Repeated }),
		ratio("copied_low", "at least", 0, func(r row) float64 { return r.AsWhole.RepeatedLow }),
		ratio("largest", "", data, func(r row) float64 { return r.AsWhole.Largest }),
		number("looked_at", "Looked at", 0, func(r row) int64 { return r.Whole.Objects }),
		number("contents", "", data, func(r row) int64 { return r.Whole.Contents }),
		number("accesses_saved", "Reads", 0, func(r row) int64 { return r.CopiesRead }),
		ratio("theta", "θ", 0, func(r row) float64 { return r.Theta }),
		ratio("theta_low", "", data, func(r row) float64 { return r.ThetaLow }),
		ratio("theta_high", "", data, func(r row) float64 { return r.ThetaHigh }),
		ratio("alpha", "α", data, func(r row) float64 { return r.Alpha }),
		ratio("omega", "ω", 0, func(r row) float64 { return r.Omega }),
		ratio("gamma", "γ", 0, func(r row) float64 { return r.Gamma }),
		ratio("omega_low", "", data, func(r row) float64 { return r.OmegaLow }),
		ratio("gamma_high", "", data, func(r row) float64 { return r.GammaHigh }),
		number("pairs", "Pairs", 0, func(r row) int64 { return r.Count() }),
		number("pairs_equal", "", data, func(r row) int64 { return r.Equal }),
		number("pairs_copies", "", data, func(r row) int64 { return r.Pairs.Copies }),
		number("watched", "", data, func(r row) int64 { return r.Watched }),
		number("objects", "Objects", 0, func(r row) int64 { return r.All.Objects }),
		number("bytes", "", data, func(r row) int64 { return r.All.Bytes }),
		{name: "objects_saved", unit: profile.Bytes, only: data, value: func(r row) any {
			if r.IsArray() {
				return nil
			}
			return r.Copies.Objects
		}},
		{name: "counted", only: inJSON, value: func(r row) any { return r.Counted }},
		{name: "runs", only: inJSON, value: func(r row) any { return r.Runs }},
		{name: "finding", only: inJSON, value: func(r row) any { return r.IsFinding() }},
		{name: "counted", unit: profile.Text, only: inCSV, value: func(r row) any { return fmt.Sprint(r.Counted) }},
		{name: "runs", unit: profile.Text, only: inCSV, value: func(r row) any { return fmt.Sprint(r.Runs) }},
		{name: "finding", unit: profile.Text, only: inCSV, value: func(r row) any { return fmt.Sprint(r.IsFinding()) }},
		{name: "class", title: "Class", unit: profile.Text, value: func(r row) any { return r.Class }},
		{name: "site", title: "Site", unit: profile.Text, only: inText, value: func(row row) any {
			if r.answer.ByContext {
				return compactStack(row.Stack)
			}
			return frameLine(row.Stack[0])
		}},
		{name: "stack", only: inJSON, value: func(r row) any { return jsonStack(r.Stack) }},
		{name: "accesses", only: inJSON, value: func(r row) any { return jsonAccesses(r.Accesses) }},
		{name: "stack", unit: profile.Text, only: inCSV, value: func(r row) any { return stackLines(r.Stack) }},
	}
	if r.values {
		columns = append(columns, heapColumn[row]{name: "values", only: inJSON, value: func(r row) any {
			return jsonExamples(r.Examples, func(n int64, text string) jsonPairExample {
				return jsonPairExample{n, text}
			})
		}})
	}
	return heapTable(r.answer.Rows, columns)
}

func jsonAccesses(accesses []replica.Access) json.RawMessage {
	list := []jsonAccess{}
	for _, a := range accesses {
		list = append(list, jsonAccess{jsonStack(a.Stack), a.Count(), a.Theta, a.Reads, a.CopiesRead})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil
	}
	return text
}

// Text writes the answer for a reader.
func (r *SampledReport) Text(w io.Writer) error { return r.text(w, false) }

// VerboseText is Text with the stacks that read what was compared.
func (r *SampledReport) VerboseText(w io.Writer) error { return r.text(w, true) }

func (r *SampledReport) text(w io.Writer, verbose bool) error {
	var f facts
	a := r.answer
	addProgram(&f, r.file, r.profile)
	f.add("Compared", fmt.Sprintf("by samples: %s that were looked at whole; %s of %s that were sampled, where both "+
		"were read at one place", counted(a.Whole, "object"), counted(a.Pairs, "pair"), counted(a.Watched, "object")))
	if r.profile.IsUncounted() {
		f.add("Reads", "unknown: all code was left as it was (run --no-sites)")
	} else if a.Pairs == 0 {
		f.add("Reads", "none: no class has told what it reads for long enough; \"run --sampling-pause 5s\" has some "+
			"do so sooner, and more often")
	}
	if a.Compared > 0 {
		f.add("Copies", fmt.Sprintf("%.0f %% of the bytes of what was compared, which are %.0f %% of all that was "+
			"sampled", 100*a.Copied, 100*a.Compared))
	}
	f.add("Finding", r.findings(verbose)...)
	if a.Class != "" {
		f.add("Filter", "class "+a.Class)
	}
	rows, order := r.rows(), "bytes that would be saved"
	if a.ByReads {
		order = "reads of copies"
	}
	f.add("Showing", fmt.Sprintf("%d of %s, sorted by %s", rows.n, counted(int64(a.Count), "row"), order))
	addLosses(&f, r.profile, r.lost()...)
	if err := f.writeTo(w); err != nil || rows.n == 0 {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	if err := writeColumns(w, tableColumns(rows.in(inText))); err != nil || !r.values {
		return err
	}
	for i := range a.Rows {
		row := &a.Rows[i]
		if len(row.Examples) == 0 {
			continue
		}
		title := row.Class + " made at " + frameLine(row.Stack[0]) + ", in pairs"
		if err := writeExamples(w, title, row.Examples); err != nil {
			return err
		}
	}
	return nil
}

func (r *SampledReport) lost() (lines []string) {
	if n := r.answer.Lost + r.answer.Damaged; n > 0 {
		lines = append(lines, counted(n, "sample")+" that there was no room for, or that are damaged")
	}
	return lines
}

// JSON writes the answer as one JSON object, each row on a line of its own.
func (r *SampledReport) JSON(w io.Writer) error {
	a := r.answer
	by, sort := heap.BySite, "bytes"
	if a.ByContext {
		by = heap.ByContext
	}
	if a.ByReads {
		sort = "accesses"
	}
	head := jsonSampled{SampledSchema, r.file, jsonHeapFilter{By: []string{by.String()}, Sort: &sort,
		Class: optional(a.Class)}, jsonSampling{"sampled", a.Whole, a.Watched, a.Pairs, a.Compared,
		a.Copied}, newJSONLosses(r.profile)}
	if a.Top > 0 {
		head.Filters.Top = &a.Top
	}
	return writeJSON(w, head, tableRows(r.rows().in(inJSON)))
}

// CSV writes the rows of the JSON form, without who reads.
func (r *SampledReport) CSV(w io.Writer) error { return writeTableCSV(w, r.rows().in(inCSV)) }

// findings says a sentence about each row that is one, and about those that only look like one.
func (r *SampledReport) findings(verbose bool) (lines []string) {
	for i := range r.answer.Rows {
		row := &r.answer.Rows[i]
		switch {
		case len(lines) >= findings && !verbose:
			return lines
		case row.IsFinding():
			lines = append(lines, sampledFinding(row))
		case row.IsLookalike():
			lines = append(lines, fmt.Sprintf("%s made at %s: what is read of them is equal in %.0f %% of %s, but "+
				"their contents are not: no copies", row.Class, frameLine(row.Stack[0]), 100*row.Theta,
				counted(row.Count(), "pair")))
		default:
			continue
		}
		if verbose {
			lines = append(lines, accessLines(row)...)
		}
	}
	if lines == nil {
		lines = []string{fmt.Sprintf("none: of no row %d objects were looked at, or pairs compared, of which 60 %% "+
			"are copies", replica.FewestPairs)}
	}
	return lines
}

func sampledFinding(row *replica.SampledRow) string {
	about := "about "
	if row.Counted {
		about = ""
	}
	made := fmt.Sprintf("%s made at %s", row.Class, frameLine(row.Stack[0]))
	objects := about + counted(row.All.Objects, "object")
	reads := ""
	if row.CopiesRead > 0 {
		reads = fmt.Sprintf(" and %s of those that were seen", counted(row.CopiesRead, "read"))
	}
	copies, ofOne := "%.0f %% of %s are copies", "%.0f to %.0f %% of %s are copies of one"
	if row.IsArray() {
		copies = "copies have %.0f %% of the bytes of %s"
		ofOne = "copies of one have %.0f to %.0f %% of the bytes of %s"
	}
	if w := row.AsWhole; row.IsByWhole() {
		return fmt.Sprintf("%s: "+copies+" (at least %.0f %%), %.0f %% of one; keeping one of each contents would "+
			"save %s%s", made, 100*w.Repeated, objects, 100*w.RepeatedLow, 100*w.Largest,
			exactBytes(row.Copies.Bytes), reads)
	}
	text := fmt.Sprintf("%s: "+ofOne+"; keeping that would save at least %s%s", made, 100*row.OmegaLow,
		100*row.GammaHigh, objects, exactBytes(row.Copies.Bytes), reads)
	if row.Runs {
		text += "; copies come in runs, so it may be fewer"
	}
	return text
}

// accessLines are the places that read most of a row.
func accessLines(row *replica.SampledRow) (lines []string) {
	const most = 3
	for _, a := range row.Accesses[:min(len(row.Accesses), most)] {
		lines = append(lines, fmt.Sprintf("  %.0f %% of %s equal, read at %s", 100*a.Theta, counted(a.Count(), "pair"),
			compactStack(a.Stack)))
	}
	return lines
}

// Pprof writes who reads copies as a gzipped pprof profile with the values reads/count and copies_read/count, the
// latter being the default: what the objects of pairs stand for that were read there. What is read is in the labels
// class and site.
func (r *SampledReport) Pprof(w io.Writer) error {
	b := newPprofBuilder(r.profile, []*pprof.ValueType{{Type: "reads", Unit: "count"},
		{Type: "copies_read", Unit: "count"}})
	b.out.Comments = []string{"mallard recording " + r.file, r.compared()}
	for _, line := range r.lost() {
		b.out.Comments = append(b.out.Comments, "losses: "+line)
	}
	methods := oneOfEach{}
	for i := range r.answer.Rows {
		row := &r.answer.Rows[i]
		for _, a := range row.Accesses {
			if a.Reads == 0 || len(a.Stack) == 0 {
				continue
			}
			b.out.Sample = append(b.out.Sample, &pprof.Sample{Location: b.stack(a.Stack, methods),
				Value: []int64{a.Reads, a.CopiesRead},
				Label: map[string][]string{labelClass: {row.Class}, labelSite: {frameLine(row.Stack[0])}}})
		}
	}
	return b.write(w)
}

// compared says of how many objects how many pairs were compared.
func (r *SampledReport) compared() string {
	return fmt.Sprintf("Compared %s of %s, looked at %d whole", counted(r.answer.Pairs, "pair"),
		counted(r.answer.Watched, "object"), r.answer.Whole)
}

// Page writes a page with a flame graph, as wide as reads of copies: who reads, and above that the class and the site
// of what is read.
func (r *SampledReport) Page(w io.Writer) error {
	facts := []string{"Recording " + r.file, "Widths are reads of copies that samples stand for", r.compared()}
	facts = append(append(facts, r.findings(false)...), r.lost()...)
	page := &page{
		title:    pageTitle(r.file, r.profile),
		summary:  html.EscapeString("reads of copies"),
		facts:    pageFacts(facts),
		controls: pagePart("reverse.html"),
		keys:     " <kbd>r</kbd>: by class.",
		styles:   []string{"style.css"},
		scripts:  []string{"frame.js", "data.js", "view.js", "packages.js", "controls.js"},
	}
	return page.write(w, r.writeTree)
}

func (r *SampledReport) writeTree(out *bufio.Writer) error {
	var branches []pageBranch
	for i := range r.answer.Rows {
		row := &r.answer.Rows[i]
		for _, a := range row.Accesses {
			if a.CopiesRead == 0 {
				continue
			}
			var path []string
			for _, f := range slices.Backward(a.Stack) {
				path = append(path, f.Title())
			}
			branches = append(branches, pageBranch{append(path, classAt(row.Class, row.Stack)), a.CopiesRead,
				a.CopiesRead})
		}
	}
	return writePageBranches(out, branches)
}

func classAt(class string, stack []symbols.Frame) string { return class + " of " + frameLine(stack[0]) }
