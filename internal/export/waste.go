package export

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"mallard/internal/profile"
	"mallard/internal/waste"
)

// WasteSchema names the JSON form of answers about waste.
const WasteSchema = "mallard.waste/1"

// WasteReport is what a program could do without, ready to be written.
type WasteReport struct {
	File    string // the recording, as the user named it
	Profile *profile.Profile
	Answer  *waste.Answer
	Verbose bool
}

// Text writes a block for each kind: what it is, what to do about it, and the lines that led to most.
func (r *WasteReport) Text(w io.Writer) error {
	a := r.Answer
	total := r.Profile.Total
	facts := &Report{File: r.File, Profile: r.Profile, Verbose: r.Verbose, Answer: &profile.Answer{
		Query: profile.Query{Filter: a.Query.Filter}, Selected: a.Selected}}
	lines := []string{fmt.Sprintf("%s, %s %% of the total; what else was allocated is no waste by these rules",
		amount(a.Amount), percent(a.Amount.Bytes, total.Bytes))}
	if mine := a.Query.Mine; mine != nil {
		lines = append(lines, "what your code led to: "+mineText(mine))
		if !a.Others.IsZero() {
			lines = append(lines, "not caused by it: "+amount(a.Others))
		}
	}
	if !r.Profile.Tracked {
		lines = append(lines, `callers are unknown: "run --track contexts" says which lines led to what the JDK `+
			"makes, and what its arrays are for")
	}
	if err := facts.writeFacts(w, "Waste", lines...); err != nil {
		return err
	}
	for i := range a.Rows {
		row := &a.Rows[i]
		more := ""
		if n := row.Count - len(row.Places); n > 0 {
			more = fmt.Sprintf("; %s of %s follow", grouped(int64(len(row.Places))), counted(int64(row.Count), "place"))
		}
		_, err := fmt.Fprintf(w, "\n%s: %s, %s %% of the total%s\n%s\n", row.Kind, amount(row.Amount),
			percent(row.Amount.Bytes, total.Bytes), more, row.Kind.Advice())
		if err != nil {
			return err
		}
		if err := writeColumns(w, r.columns(row.Places)); err != nil {
			return err
		}
	}
	return nil
}

func (r *WasteReport) columns(places []waste.Place) []column {
	objects, bytes, share := column{title: "Objects"}, column{title: "Bytes"}, column{title: "Byte%"}
	what, lines := column{title: "What", left: true}, column{title: "Where", left: true}
	for i := range places {
		place := &places[i]
		text, part := unknownBytes, unknownBytes
		if place.Amount.BytesKnown() {
			text, part = grouped(place.Amount.Bytes), percent(place.Amount.Bytes, r.Profile.Total.Bytes)
		}
		objects.cells = append(objects.cells, grouped(place.Amount.Objects))
		bytes.cells, share.cells = append(bytes.cells, text), append(share.cells, part)
		what.cells = append(what.cells, place.What)
		lines.cells = append(lines.cells, stackLine(place.Line, false)+inLoader(place.Loader))
	}
	return []column{objects, bytes, share, what, lines}
}

// unknownBytes stands for bytes in text.
const unknownBytes = "?"

// The JSON form.
type (
	jsonWaste struct {
		Schema   string          `json:"schema"`
		File     string          `json:"file"`
		Filters  jsonFilters     `json:"filters"`
		Totals   jsonAmount      `json:"totals"`
		Selected jsonAmount      `json:"selected"`
		Waste    jsonAmount      `json:"waste"`
		Callers  bool            `json:"callers"` // are known
		Kinds    []jsonWasteKind `json:"kinds"`
		Losses   []jsonLoss      `json:"losses"`
	}
	jsonWasteKind struct {
		Kind    string `json:"kind"`
		Objects int64  `json:"objects"`
		Bytes   *int64 `json:"bytes"`
		Places  int    `json:"places"`
		Advice  string `json:"advice"`
	}
	jsonWasteRow struct {
		Kind    string   `json:"kind"`
		What    string   `json:"what"`
		Site    jsonSite `json:"site"`
		Loader  string   `json:"loader,omitempty"`
		Objects int64    `json:"objects"`
		Bytes   *int64   `json:"bytes"`
	}
)

// JSON writes the answer as one JSON object, each place on a line of its own.
func (r *WasteReport) JSON(w io.Writer) error {
	a := r.Answer
	common := newJSONReport(r.File, r.Profile, "waste", a.Query.Filter, a.Selected)
	head := jsonWaste{Schema: WasteSchema, File: r.File, Filters: common.Filters, Totals: common.Totals,
		Selected: common.Selected, Waste: newJSONAmount(a.Amount), Callers: r.Profile.Tracked,
		Kinds: []jsonWasteKind{}, Losses: common.Losses}
	head.Filters.Sort = optional(a.Query.Sort.String())
	if a.Query.Top > 0 {
		head.Filters.Top = &a.Query.Top
	}
	if a.Query.Mine != nil {
		head.Filters.Mine = optional(a.Query.Mine.Text())
	}
	for i := range a.Rows {
		row := &a.Rows[i]
		head.Kinds = append(head.Kinds, jsonWasteKind{row.Kind.String(), row.Amount.Objects,
			newJSONAmount(row.Amount).Bytes, row.Count, row.Kind.Advice()})
	}
	return writeJSON(w, head, func(yield func(jsonWasteRow) bool) {
		for i := range a.Rows {
			for k := range a.Rows[i].Places {
				place := &a.Rows[i].Places[k]
				line := place.Line
				if !yield(jsonWasteRow{a.Rows[i].Kind.String(), place.What, jsonSite{line.Class, line.Method,
					line.Descriptor, &line.Line, nil}, place.Loader, place.Amount.Objects,
					newJSONAmount(place.Amount).Bytes}) {
					return
				}
			}
		}
	})
}

// CSV writes the rows of the JSON form.
func (r *WasteReport) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"kind", "what", "site.class", "site.method", "site.descriptor", "site.line", "loader", "objects",
		"bytes"})
	for i := range r.Answer.Rows {
		row := &r.Answer.Rows[i]
		for _, place := range row.Places {
			bytes := ""
			if place.Amount.BytesKnown() {
				bytes = strconv.FormatInt(place.Amount.Bytes, 10)
			}
			line := place.Line
			out.Write([]string{row.Kind.String(), spreadsheetCell(place.What), spreadsheetCell(line.Class),
				spreadsheetCell(line.Method), spreadsheetCell(line.Descriptor), strconv.Itoa(int(line.Line)),
				spreadsheetCell(place.Loader), strconv.FormatInt(place.Amount.Objects, 10), bytes})
		}
	}
	out.Flush()
	return out.Error()
}
