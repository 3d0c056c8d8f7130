package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"mallard/internal/budget"
	"mallard/internal/profile"
)

// BudgetSchema names the JSON form of what came of rules.
const BudgetSchema = "mallard.budget/1"

// BudgetReport is what came of rules in recordings, ready to be written.
type BudgetReport struct {
	Rules   string // the file with them, as the user named it; empty for none
	Results []BudgetResult
	// Find gives where a source file is, such as com/shop/Order.java, below the working folder; nil: nowhere
	Find func(name string) (place string, found bool)
}

// BudgetResult is what came of a rule in a recording.
type BudgetResult struct {
	File string // the recording
	*budget.Result
}

// Failed counts those that did not come out well.
func (r *BudgetReport) Failed() (n int) {
	for _, result := range r.Results {
		if result.Status != budget.OK {
			n++
		}
	}
	return n
}

// Text writes a line for each rule, with the name of the recording where there are several.
func (r *BudgetReport) Text(w io.Writer) error {
	several := false
	for _, result := range r.Results {
		several = several || result.File != r.Results[0].File
	}
	for _, result := range r.Results {
		file := ""
		if several {
			file = result.File + ": "
		}
		if _, err := fmt.Fprintf(w, "%-8s%s%s\n", result.Status, file, shown(result.line(), longestLine)); err != nil {
			return err
		}
	}
	return nil
}

func (r *BudgetResult) line() string {
	switch r.Status {
	case budget.Over:
		return r.Result.Text()
	case budget.Unknown:
		return r.Rule.Text + ": " + r.Reason
	}
	return fmt.Sprintf("%s %s, of at most %s", r.Rule.Limit.Text(r.Value), r.Rule.About(), r.Rule.Limit)
}

// The JSON form.
type (
	jsonBudget struct {
		Schema string `json:"schema"`
		Rules  string `json:"rules"`
		Failed int    `json:"failed"`
	}
	jsonBudgetRow struct {
		File   string    `json:"file"`
		Line   int       `json:"line,omitempty"`
		Rule   string    `json:"rule"`
		Test   string    `json:"test,omitempty"`
		Status string    `json:"status"`
		Unit   string    `json:"unit"`
		Max    int64     `json:"max"`
		Value  *int64    `json:"value"`
		Over   *int64    `json:"over"`
		Site   *jsonSite `json:"site,omitempty"`
		Source string    `json:"source,omitempty"`
		Of     int64     `json:"of_site,omitempty"`
		Text   string    `json:"text"`
	}
)

// JSON writes an object with a row for each rule and recording.
func (r *BudgetReport) JSON(w io.Writer) error {
	return writeJSON(w, jsonBudget{BudgetSchema, r.Rules, r.Failed()}, func(yield func(jsonBudgetRow) bool) {
		for _, result := range r.Results {
			limit, by := result.Rule.Limit, result.By()
			row := jsonBudgetRow{File: result.File, Line: result.Rule.Line, Rule: result.Rule.Text,
				Test: result.Rule.Test, Status: string(result.Status), Unit: "bytes", Max: limit.Max,
				Text: result.line()}
			if limit.Objects {
				row.Unit = "objects"
			}
			if result.Status != budget.Unknown {
				row.Value, row.Over = &result.Value, &by
			}
			if most := result.Most; most != nil {
				row.Site = &jsonSite{Class: most.Class, Method: most.Method, Descriptor: most.Descriptor,
					Line: &most.Line}
				row.Source, row.Of = most.Source, result.Of
			}
			if !yield(row) {
				return
			}
		}
	})
}

// place is where a result is shown: the source line that allocated most, or the rule's, or the recording.
func (r *BudgetReport) place(result *BudgetResult) (file string, line int) {
	if site := result.Most; result.Status == budget.Over && r.Find != nil && hasSource(site) {
		if place, found := r.Find(SourcePath(site.Class, site.Source)); found {
			return place, int(site.Line)
		}
	}
	if result.Rule.Line == 0 { // a test's annotation
		return result.File, 1
	}
	return r.Rules, result.Rule.Line
}

func hasSource(site *profile.Site) bool { return site != nil && site.Source != "" && site.Line > 0 }

// GitHub writes a workflow command for each rule that failed, which GitHub shows beside the line.
func (r *BudgetReport) GitHub(w io.Writer) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, result := range r.Results {
		if result.Status == budget.OK {
			continue
		}
		file, line := r.place(&result)
		_, err := fmt.Fprintf(w, "::error file=%s,line=%d,title=%s::%s\n", property.Replace(file), line,
			property.Replace("mallard: "+printable(result.Rule.Text)), data.Replace(printable(result.line())))
		if err != nil {
			return err
		}
	}
	return nil
}

// jsonQuality is an issue as GitLab's reports of code quality have it.
type jsonQuality struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// GitLab writes a report of code quality, with an issue for each rule that failed. A rule's fingerprint stays the same
// while the rule and the recording's name do.
func (r *BudgetReport) GitLab(w io.Writer) error {
	issues := []jsonQuality{}
	for _, result := range r.Results {
		if result.Status == budget.OK {
			continue
		}
		sum := sha256.Sum256([]byte(result.File + "\n" + result.Rule.Text))
		issue := jsonQuality{Description: printable(result.line()), CheckName: "mallard", Severity: "major",
			Fingerprint: hex.EncodeToString(sum[:])}
		issue.Location.Path, issue.Location.Lines.Begin = r.place(&result)
		issues = append(issues, issue)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(issues)
}
