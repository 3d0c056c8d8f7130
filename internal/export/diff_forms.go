package export

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"mallard/internal/diff"
	"mallard/internal/profile"
)

// DiffSchema names the JSON form of differences.
const DiffSchema = "mallard.diff/1"

// The JSON form.
type (
	jsonDiff struct {
		Schema    string          `json:"schema"`
		A         jsonDiffSide    `json:"a"`
		B         jsonDiffSide    `json:"b"`
		Different []string        `json:"different"`
		Filters   jsonDiffFilters `json:"filters"`
		Unit      *string         `json:"unit"`
		Totals    jsonChange      `json:"totals"`
		Selected  jsonChange      `json:"selected"`
		Same      int             `json:"rows_same"`
		Noise     *jsonRest       `json:"within_noise"`
		Small     jsonRest        `json:"below_min"`
		Losses    []string        `json:"losses"`
	}
	jsonDiffFilters struct {
		jsonFilters
		Min float64 `json:"min"`
		All bool    `json:"all"`
	}
	jsonDiffSide struct {
		Files   []string  `json:"files"`
		Program *string   `json:"program"`
		JVM     *string   `json:"jvm"`
		Seconds []float64 `json:"seconds"`
		Units   []float64 `json:"units,omitempty"`
	}
	jsonRest struct {
		Count   int     `json:"rows"`
		Objects float64 `json:"change_objects"`
		Bytes   float64 `json:"change_bytes"`
	}
	jsonDiffRow struct {
		jsonNames
		State string     `json:"state"`
		Was   *jsonNames `json:"was,omitempty"`
		Sure  *bool      `json:"sure"`
		jsonChange
	}
	// jsonChange has means, and what is known of noise.
	jsonChange struct {
		ChangeObjects float64  `json:"change_objects"`
		ChangeBytes   float64  `json:"change_bytes"`
		AObjects      float64  `json:"a_objects"`
		BObjects      float64  `json:"b_objects"`
		ABytes        float64  `json:"a_bytes"`
		BBytes        float64  `json:"b_bytes"`
		NoiseObjects  *float64 `json:"noise_objects"`
		NoiseBytes    *float64 `json:"noise_bytes"`
	}
)

// JSON writes the report as one JSON object, each row on a line of its own.
func (r *DiffReport) JSON(w io.Writer) error {
	a := r.Answer
	q := a.Query
	base := newJSONReport("", r.A.first(), q.By.String(), q.Filter, profile.Amount{}).Filters
	base.Sort = optional(q.Sort.String())
	if q.Top > 0 {
		base.Top = &q.Top
	}
	if q.Mine != nil {
		base.Mine = optional(q.Mine.Text())
	}
	head := jsonDiff{Schema: DiffSchema, A: r.A.json(), B: r.B.json(), Different: append([]string{}, r.warnings()...),
		Filters: jsonDiffFilters{base, q.Min, q.All}, Unit: optional(r.Unit), Totals: r.change(&a.Total),
		Selected: r.change(&a.Selected), Same: a.Same, Small: newJSONRest(a.Small),
		Losses: append([]string{}, r.lossKinds()...)}
	if r.hasNoise() {
		noise := newJSONRest(a.Noise)
		head.Noise = &noise
	}
	return writeJSON(w, head, func(yield func(jsonDiffRow) bool) {
		for i := range a.Rows {
			if !yield(r.row(&a.Rows[i])) {
				return
			}
		}
	})
}

func newJSONRest(r diff.Rest) jsonRest {
	return jsonRest{r.Count, r.Objects.Change(), r.Bytes.Change()}
}

func (s *DiffSide) json() jsonDiffSide {
	out := jsonDiffSide{Files: s.Files, Seconds: []float64{}, Units: s.Units}
	if p := s.first().Process; p != nil {
		out.Program, out.JVM = optional(commandLine(p.Command)), optional(p.JVMName+" "+p.JVMVersion)
	}
	for _, p := range s.Recordings {
		out.Seconds = append(out.Seconds, p.Duration.Seconds())
	}
	return out
}

func (r *DiffReport) change(row *diff.Row) jsonChange {
	o, b := &row.Objects, &row.Bytes
	out := jsonChange{ChangeObjects: o.Change(), ChangeBytes: b.Change(), AObjects: o.A, BObjects: o.B, ABytes: b.A,
		BBytes: b.B}
	if r.hasNoise() {
		out.NoiseObjects, out.NoiseBytes = &o.Noise, &b.Noise
	}
	return out
}

func (r *DiffReport) row(row *diff.Row) jsonDiffRow {
	q := r.Answer.Query
	out := jsonDiffRow{State: diffState(row), jsonChange: r.change(row)}
	names := func(e *diff.Entry) jsonNames {
		n := newJSONNames(e.Profile, q.By, e.Row())
		n.Threads = 0
		return n
	}
	if row.B != nil {
		out.jsonNames = names(row.B)
	} else {
		out.jsonNames = names(row.A)
	}
	if row.IsMoved && row.A != nil && row.B != nil {
		was := names(row.A)
		out.Was = &was
	}
	if r.hasNoise() {
		v := row.Value(q.Sort)
		sure := v.IsSure()
		out.Sure = &sure
	}
	return out
}

// CSV writes a header line and the rows.
func (r *DiffReport) CSV(w io.Writer) error {
	q := r.Answer.Query
	names := slices.DeleteFunc(slices.Clone(csvColumns[q.By]), func(c csvColumn) bool {
		return c.name == "threads" || strings.HasSuffix(c.name, "objects") || strings.HasSuffix(c.name, "bytes") ||
			c.name == "elements"
	})
	var header []string
	for _, c := range names {
		header = append(header, c.name)
	}
	out := csv.NewWriter(w)
	out.Write(append(header, "state", "was", "sure", "change_objects", "change_bytes", "a_objects", "b_objects",
		"a_bytes", "b_bytes", "noise_objects", "noise_bytes"))
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for i := range r.Answer.Rows {
		row := &r.Answer.Rows[i]
		entry := row.B
		if entry == nil {
			entry = row.A
		}
		var record []string
		for _, c := range names {
			record = append(record, c.cell(entry.Profile, entry.Row()))
		}
		was, _ := wasText(row, q.By)
		line := r.row(row)
		sure, noiseObjects, noiseBytes := "", "", ""
		if line.Sure != nil {
			sure = strconv.FormatBool(*line.Sure)
			noiseObjects, noiseBytes = number(*line.NoiseObjects), number(*line.NoiseBytes)
		}
		out.Write(append(record, line.State, spreadsheetCell(was), sure, number(line.ChangeObjects),
			number(line.ChangeBytes), number(line.AObjects), number(line.BObjects), number(line.ABytes),
			number(line.BBytes), noiseObjects, noiseBytes))
	}
	out.Flush()
	return out.Error()
}
