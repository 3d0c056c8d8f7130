package export

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"mallard/internal/heap"
	"mallard/internal/profile"
	"mallard/internal/replica"
	"mallard/internal/symbols"
)

// ReplicaSchema names the JSON form of answers about copies.
const ReplicaSchema = "mallard.replicas/1"

// ReplicaReport is which objects are copies, ready to be written:
//
//	Hashed      3,000,000 objects, 112,000,000 bytes (107 MiB), of 12 collections
//	Copies      1,999,986 objects, 55,999,616 bytes (53.4 MiB): 50.0 % of the bytes
//	Finding     …
//
//	Saved bytes  Copies%    Objects  Groups  Largest  Died%  Lived copies%  Class       Site
//	31,999,680      100  1,000,000       10  100,000   99.9             12  demo.Point  demo.Main.at(Main.java:6)
type ReplicaReport struct {
	file      string
	profile   *profile.Profile
	history   *heap.History
	counts    *heap.Counts // nil: rows are classes
	inContext bool
	answer    *replica.Answer
	values    bool // contents are shown, where there are any
}

// ShowValues has examples of contents shown, in text and JSON. They are the program's data.
func (r *ReplicaReport) ShowValues() { r.values = true }

// NewReplicaReport is of rows that the history tells apart: by class alone where there are no counts.
func NewReplicaReport(file string, p *profile.Profile, h *heap.History, counts *heap.Counts, inContext bool,
	answer *replica.Answer) *ReplicaReport {
	return &ReplicaReport{file: file, profile: p, history: h, counts: counts, inContext: inContext, answer: answer}
}

// The JSON form.
type (
	jsonReplicas struct {
		Schema  string         `json:"schema"`
		File    string         `json:"file"`
		Filters jsonHeapFilter `json:"filters"`
		Totals  *jsonHeapSum   `json:"totals"` // hashed
		Saved   *jsonHeapSum   `json:"saved"`
		Method  jsonHashing    `json:"method"`
		Losses  []jsonLoss     `json:"losses"`
	}
	jsonHashing struct {
		Replicas   string  `json:"replicas"` // exact
		Classes    *string `json:"classes"`  // that were hashed; null: all
		Methods    *string `json:"methods"`  // whose objects were hashed; null: all
		Depth      int64   `json:"depth"`
		Walks      int64   `json:"collections"`
		Skipped    int64   `json:"collections_left_out"`
		Incomplete int64   `json:"collections_lost"` // of which the recorder has not got all that they found
		Seconds    float64 `json:"seconds"`
	}
)

func (r *ReplicaReport) rows() heapRows {
	columns := r.orderColumn()
	columns = append(columns, copiesColumns...)
	columns = append(columns, livedColumns...)
	columns = append(columns, heapColumn[replica.Row]{name: "advice", unit: profile.Text, only: inJSON | inCSV,
		value: func(row replica.Row) any { return optionalText(r.advised(&row)) }})
	class := func(r replica.Row) heap.Class { return r.Class }
	columns = append(columns, classColumns(r.history, false, class)...)
	if r.counts != nil {
		columns = append(columns, siteColumns(r.counts, r.inContext, class)...)
	}
	if r.values {
		columns = append(columns, heapColumn[replica.Row]{name: "values", only: inJSON, value: func(r replica.Row) any {
			return jsonExamples(r.Examples, func(n int64, text string) jsonExample { return jsonExample{n, text} })
		}})
	}
	return heapTable(r.answer.Rows, columns)
}

// copiesColumn has a number of each row; without a title it is not in text.
func copiesColumn(name, title string, value func(*replica.Row) int64) heapColumn[replica.Row] {
	c := heapColumn[replica.Row]{name: name, title: title, unit: profile.Bytes,
		value: func(r replica.Row) any { return value(&r) }}
	if title == "" {
		c.only = inJSON | inCSV
	}
	return c
}

// orderColumn is what rows are in order of, where no other column has it.
func (r *ReplicaReport) orderColumn() []heapColumn[replica.Row] {
	var c heapColumn[replica.Row]
	switch r.answer.Sort {
	case replica.SortLong:
		c = copiesColumn("", "Saved long", savedLong)
	case replica.SortYoung:
		c = copiesColumn("", "Saved young", savedYoung)
	default:
		return nil
	}
	c.only = inText
	return []heapColumn[replica.Row]{c}
}

func savedLong(r *replica.Row) int64  { return int64(math.Round(r.SavedLong())) }
func savedYoung(r *replica.Row) int64 { return int64(math.Round(r.SavedYoung())) }

// copiesColumns are of what is born.
var copiesColumns = []heapColumn[replica.Row]{
	copiesColumn("bytes_saved", "Saved bytes", func(r *replica.Row) int64 { return r.Saved.Bytes }),
	{name: "copies_percent", title: "Copies%", unit: profile.Share,
		value: func(r replica.Row) any { return percentOf(r.Saved.Objects, r.Hashed.Objects) }},
	copiesColumn("objects", "Objects", func(r *replica.Row) int64 { return r.Hashed.Objects }),
	copiesColumn("bytes", "Bytes", func(r *replica.Row) int64 { return r.Hashed.Bytes }),
	copiesColumn("groups", "Groups", func(r *replica.Row) int64 { return r.Groups }),
	copiesColumn("largest_group", "Largest", func(r *replica.Row) int64 { return r.Largest }),
	copiesColumn("objects_saved", "", func(r *replica.Row) int64 { return r.Saved.Objects }),
	copiesColumn("unknown_objects", "", func(r *replica.Row) int64 { return r.Unknown }),
	{name: "estimated", unit: profile.Text, only: inCSV,
		value: func(r replica.Row) any { return fmt.Sprint(r.Estimated) }},
	{name: "estimated", unit: profile.Text, only: inJSON, value: func(r replica.Row) any { return r.Estimated }},
	{name: "sample", unit: profile.Number, only: inJSON | inCSV, value: func(r replica.Row) any { return r.Sample }},
}

// livedColumns are of how long what is born lives, and of what has come through a collection.
var livedColumns = []heapColumn[replica.Row]{
	{name: "died_percent", title: "Died%", unit: profile.Share,
		value: func(r replica.Row) any { return percentOf(r.Soon.Objects, r.Met.Objects) }},
	{name: "lived_copies_percent", title: "Lived copies%", unit: profile.Share,
		value: func(r replica.Row) any { return percentOf(r.Lived.Saved.Objects, r.Lived.Hashed.Objects) }},
	{name: "sampled", title: "One of", unit: profile.Number, only: inText, value: func(r replica.Row) any {
		if r.Sample == 1 {
			return nil
		}
		return r.Sample
	}},
	copiesColumn("bytes_saved_long", "", savedLong),
	copiesColumn("bytes_saved_young", "", savedYoung),
	copiesColumn("lived_objects", "", func(r *replica.Row) int64 { return r.Lived.Hashed.Objects }),
	copiesColumn("lived_bytes", "", func(r *replica.Row) int64 { return r.Lived.Hashed.Bytes }),
	copiesColumn("lived_groups", "", func(r *replica.Row) int64 { return r.Lived.Groups }),
	copiesColumn("lived_largest_group", "", func(r *replica.Row) int64 { return r.Lived.Largest }),
	copiesColumn("lived_objects_saved", "", func(r *replica.Row) int64 { return r.Lived.Saved.Objects }),
	copiesColumn("lived_bytes_saved", "", func(r *replica.Row) int64 { return r.Lived.Saved.Bytes }),
}

// Text writes the answer for a reader.
func (r *ReplicaReport) Text(w io.Writer) error { return r.text(w, false) }

// VerboseText is Text with all that there is to say of what the numbers are of.
func (r *ReplicaReport) VerboseText(w io.Writer) error { return r.text(w, true) }

func (r *ReplicaReport) text(w io.Writer, verbose bool) error {
	var f facts
	a := r.answer
	if verbose {
		f.add("Recording", r.file)
		addProcess(&f, r.profile)
	} else {
		addProgram(&f, r.file, r.profile)
	}
	how := "references by identity"
	if a.Depth > 0 {
		how = fmt.Sprintf("what they refer to by contents, %s deep", counted(a.Depth, "reference"))
	}
	f.add("Compared", "exactly, by a hash of the contents when the first collection came to them; "+how)
	f.add("Hashed", fmt.Sprintf("%s, of %s, in %.3f s of pauses", heapAmount(a.All), counted(a.Walks, "collection"),
		a.Took.Seconds()))
	f.add("Only", r.only()...)
	f.add("Left out", leftOut(a)...)
	f.add("Copies", fmt.Sprintf("%s: %s %% of the bytes would be saved with one object of each contents",
		heapAmount(a.Saved), percent(a.Saved.Bytes, a.All.Bytes)))
	f.add("Finding", r.findings()...)
	if a.Class != "" {
		f.add("Filter", "class "+a.Class)
	} else if verbose {
		f.add("Filter", "none")
	}
	rows := r.rows()
	shown := counted(int64(a.Count), "row")
	if rows.n < a.Count {
		shown = fmt.Sprintf("%d of %s", rows.n, shown)
	}
	f.add("Showing", shown+", sorted by "+orders[a.Sort])
	if missing := r.missing(); verbose {
		f.add("Losses", heapLossLines(r.profile, missing)...)
	} else {
		addLosses(&f, r.profile, walkLosses(missing)...)
	}
	if note := fillersNote(r.profile); note != "" {
		f.add("Note", note)
	}
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
		if err := writeExamples(w, r.history.Title(row.Class)+r.madeAt(row), row.Examples); err != nil {
			return err
		}
	}
	return nil
}

// only is what was hashed; nothing: everything.
func (r *ReplicaReport) only() (lines []string) {
	if r.answer.Hashed != "" {
		lines = append(lines, "classes that match "+r.answer.Hashed+" (run --replicas-of)")
	}
	if r.answer.In != "" {
		lines = append(lines, "what methods make that match "+r.answer.In+" (run --replicas-in)")
	}
	return lines
}

// madeAt is where a row's objects are made, behind their class; "" where rows are of all of a class.
func (r *ReplicaReport) madeAt(row *replica.Row) string {
	if r.counts == nil {
		return ""
	}
	site := r.counts.Site(row.Class)
	if site == nil {
		return ""
	}
	return " made at " + stackLine(site, false)
}

// orders are what rows are in order of, in words.
var orders = [...]string{
	replica.SortSaved:   "bytes that would be saved",
	replica.SortObjects: "objects that would be saved",
	replica.SortLong:    "bytes that would be saved, of what outlives its first collection",
	replica.SortYoung:   "bytes that would be saved, of what its first collection finds dead",
}

// leftOut says which collections are in no figure.
func leftOut(a *replica.Answer) (lines []string) {
	if a.Skipped > 0 {
		lines = append(lines, fmt.Sprintf("%s, as hashing is to take %s of a pause (run --replicas-pause)",
			counted(a.Skipped, "collection"), a.Budget.Round(time.Millisecond)))
	}
	if a.Incomplete > 0 {
		lines = append(lines, counted(a.Incomplete, "collection")+
			", as the recorder could not follow: what they found was not all there")
	}
	return lines
}

// missing is how many events are, of walks and of groups.
func (r *ReplicaReport) missing() int64 {
	return int64(min(float64(r.history.Missing())+float64(r.answer.Lost), math.MaxInt64/2))
}

// JSON writes the answer as one JSON object, each row on a line of its own.
func (r *ReplicaReport) JSON(w io.Writer) error {
	a := r.answer
	method := jsonHashing{Replicas: "exact", Classes: optional(a.Hashed), Methods: optional(a.In), Depth: a.Depth,
		Walks: a.Walks, Skipped: a.Skipped, Incomplete: a.Incomplete, Seconds: a.Took.Seconds()}
	head := jsonReplicas{Schema: ReplicaSchema, File: r.file, Totals: newJSONHeapSum(a.All),
		Saved: newJSONHeapSum(a.Saved), Method: method,
		Filters: jsonHeapFilter{By: []string{r.by()}, Sort: optional(a.Sort.String()), Class: optional(a.Class)},
		Losses:  newJSONLosses(r.profile)}
	if a.Top > 0 {
		head.Filters.Top = &a.Top
	}
	return writeJSON(w, head, tableRows(r.rows().in(inJSON)))
}

// by is what rows are told apart by.
func (r *ReplicaReport) by() string {
	switch {
	case r.counts == nil:
		return heap.ByClass.String()
	case r.inContext:
		return heap.ByContext.String()
	}
	return heap.BySite.String()
}

// CSV writes the rows of the JSON form.
func (r *ReplicaReport) CSV(w io.Writer) error { return writeTableCSV(w, r.rows().in(inCSV)) }

// What is a finding: the paper's share of copies, and a share of all bytes.
const (
	findings     = 5
	copiesShare  = 0.6
	savedShare   = 0.01
	diedYoung    = 0.9 // share that dies young
	livedLong    = 0.5 // of those that do not
	largeObjects = 4 << 10
)

// findings says what to do about rows with most copies.
func (r *ReplicaReport) findings() (lines []string) {
	for i := range r.answer.Rows {
		row := &r.answer.Rows[i]
		if len(lines) == findings || !r.isFinding(row) {
			continue
		}
		lines = append(lines, r.finding(row))
	}
	if lines == nil {
		lines = []string{"none: no row has 60 % of copies and would save 1 % of the bytes"}
	}
	return lines
}

func (r *ReplicaReport) isFinding(row *replica.Row) bool {
	return !r.history.MayBeUnused(row.Class) &&
		float64(row.Saved.Objects) >= copiesShare*float64(row.Hashed.Objects) &&
		float64(row.Saved.Bytes) >= savedShare*float64(r.answer.All.Bytes)
}

func (r *ReplicaReport) finding(row *replica.Row) string {
	about := ""
	if row.Estimated {
		about = "about "
	}
	kept := "one"
	if row.Groups > 1 {
		kept = fmt.Sprintf("one of each of %s%s", about, counted(row.Groups, "different one"))
	}
	return fmt.Sprintf("%s%s: %s%s %% of %s are copies; keeping %s would save %s; %s", r.history.Title(row.Class),
		r.madeAt(row), about, percent(row.Saved.Objects, row.Hashed.Objects), counted(row.Hashed.Objects, "object"),
		kept, exactBytes(row.Saved.Bytes), r.advice(row))
}

// boxes are classes with valueOf.
var boxes = []string{"java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Short",
	"java.lang.Integer", "java.lang.Long", "java.lang.Float", "java.lang.Double"}

// advice says what may be done, from what is known: how many there are, of what class, and how long they live. Whether
// the program changes them nobody knows.
func (r *ReplicaReport) advice(row *replica.Row) string {
	name, soon := r.history.Name(row.Class), row.DiedSoon()
	differs := row.Lived.Hashed.Objects > 0 &&
		float64(row.Lived.Saved.Objects) < copiesShare*float64(row.Lived.Hashed.Objects)
	for _, box := range boxes {
		if name == box {
			return "use valueOf, or the primitive type"
		}
	}
	size := row.Hashed.Bytes / max(row.Hashed.Objects, 1)
	switch {
	case differs && soon < diedYoung:
		return "those that live are no copies any more: look at what changes them before you share any"
	case row.Groups == 1 && soon >= diedYoung:
		return "they are all equal and die young: hoist the allocation out of the loop, or share a constant"
	case row.Groups == 1:
		return "they are all equal: share a constant"
	case soon >= diedYoung:
		return "they die young: hoist the allocation, or reuse the last one while it is the same"
	case strings.HasSuffix(name, "[]") && size >= largeObjects:
		return "they are large: share those that are equal, or keep them in a sparse form"
	case soon < livedLong && name == "java.lang.String":
		return "they live long: intern them, e.g. in a map of those that there are"
	case soon < livedLong:
		return "they live long: intern them, looking for an equal one before keeping another"
	}
	return "cache them by what they are made from"
}

// frames are the calls of a row, its class first.
func (r *ReplicaReport) frames(row *replica.Row) []symbols.Frame {
	frames := []symbols.Frame{{Method: &symbols.Method{Name: r.history.Title(row.Class)}, BCI: -1, Line: -1}}
	if r.counts == nil {
		return frames
	}
	if stack := r.counts.Stack(row.Class); stack != nil {
		return append(frames, stack...)
	}
	if s := r.counts.Site(row.Class); s != nil {
		frames = append(frames, symbols.Frame{Method: &symbols.Method{Class: s.Class, Name: s.Method,
			Descriptor: s.Descriptor, Source: s.Source, Loader: s.Loader}, BCI: -1, Line: s.Line})
	}
	return frames
}

// advised is advice about a finding; "" about what is none.
func (r *ReplicaReport) advised(row *replica.Row) string {
	if !r.isFinding(row) {
		return ""
	}
	return r.advice(row)
}
