package export

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// CheckSchema names the JSON form of checks.
const CheckSchema = "mallard.check/1"

// Check is a comparison of a recording's counts with JP's constructor rule, ready
// to be written.
type Check struct {
	File    string // the recording, as the user named it
	Profile *profile.Profile
	Check   *profile.Check
}

// checkRows is how many types and contexts text names.
const checkRows = 20

// Text writes the totals and the largest differences, each with its reasons.
func (c *Check) Text(w io.Writer) error {
	var f facts
	p, check := c.Profile, c.Check
	f.add("Recording", c.File)
	addProcess(&f, p)
	f.add("Rule", grouped(check.Rule)+" objects by the constructor rule: calls of constructors in a context, less "+
		"those of this() and super()")
	f.add("Counted", fmt.Sprintf("%s objects by path counters, and %s, which have no constructors",
		grouped(check.Counted), counted(check.Arrays, "array")))
	f.add("Compared", fmt.Sprintf("%s of context and class, of which %s differ", counted(int64(check.Compared), "pair"),
		grouped(int64(len(check.Contexts)))), fmt.Sprintf("one too many is found among %s objects (%s %%), whose "+
		"constructors always come behind new", grouped(check.Certain), percent(check.Certain, check.Counted)))
	f.add("Differences", reasonLines(check.Reasons)...)
	f.add("Losses", lossLines(p)...)
	if err := f.writeTo(w); err != nil {
		return err
	}
	if err := c.writeTypes(w); err != nil {
		return err
	}
	return c.writeContexts(w)
}

// reasonLines has a line for each reason there is: what the rule has more, and why.
func reasonLines(counts profile.ReasonCounts) []string {
	var lines []string
	for r, n := range counts {
		if n != 0 {
			reason := profile.Reason(r)
			lines = append(lines, fmt.Sprintf("%s %s: %s", signed(n), reason, reason.Text()))
		}
	}
	if lines == nil {
		return []string{"none"}
	}
	return lines
}

func signed(n int64) string {
	if n > 0 {
		return "+" + grouped(n)
	}
	return grouped(n)
}

// reasonWords puts reasons in one line.
func reasonWords(counts profile.ReasonCounts) string {
	var words []string
	for r, n := range counts {
		if n != 0 {
			words = append(words, fmt.Sprintf("%s %s", signed(n), profile.Reason(r)))
		}
	}
	return strings.Join(words, ", ")
}

// writeTypes writes the types that differ most.
func (c *Check) writeTypes(w io.Writer) error {
	differing := slices.DeleteFunc(slices.Clone(c.Check.Types), func(t profile.CheckedType) bool {
		return t.Reasons.IsZero()
	})
	slices.SortStableFunc(differing, func(a, b profile.CheckedType) int {
		return cmp.Compare(b.Reasons.Size(), a.Reasons.Size())
	})
	t := table{{title: "Rule"}, {title: "Counted"}, {title: "Class", left: true}, {title: "Reasons", left: true}}
	for _, d := range differing[:min(checkRows, len(differing))] {
		t.add(grouped(d.Rule), grouped(d.Counted), d.Type, reasonWords(d.Reasons))
	}
	return t.writeTo(w)
}

// writeContexts writes the contexts that differ most.
func (c *Check) writeContexts(w io.Writer) error {
	t := table{{title: "Rule"}, {title: "Counted"}, {title: "Class", left: true}, {title: "Reasons", left: true},
		{title: "Context", left: true}}
	for _, d := range c.Check.Contexts[:min(checkRows, len(c.Check.Contexts))] {
		t.add(grouped(d.Rule), grouped(d.Counted), d.Type, reasonWords(d.Reasons), compactStack(c.stack(d)))
	}
	return t.writeTo(w)
}

// table is columns that grow by rows.
type table []column

func (t table) add(cells ...string) {
	for i, cell := range cells {
		t[i].cells = append(t[i].cells, cell)
	}
}

// writeTo writes the table below an empty line, and nothing without rows.
func (t table) writeTo(w io.Writer) error {
	if len(t[0].cells) == 0 {
		return nil
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return writeColumns(w, t)
}

func (c *Check) stack(d profile.CheckDifference) []symbols.Frame {
	return c.Profile.Stack(&profile.Site{BCI: -1, Line: -1}, d.Context)
}

// JSON writes all types, and all contexts that differ.
func (c *Check) JSON(w io.Writer) error {
	type row struct {
		Class   string           `json:"class"`
		Rule    int64            `json:"rule"`
		Counted int64            `json:"counted"`
		Reasons map[string]int64 `json:"reasons"`
		Stack   []jsonFrame      `json:"stack,omitempty"`
	}
	newRow := func(t profile.CheckedType) row {
		return row{Class: t.Type, Rule: t.Rule, Counted: t.Counted, Reasons: jsonReasons(t.Reasons)}
	}
	all := struct {
		Schema   string           `json:"schema"`
		File     string           `json:"file"`
		Rule     int64            `json:"rule"`
		Counted  int64            `json:"counted"`
		Arrays   int64            `json:"arrays"`
		Certain  int64            `json:"certain"`
		Compared int              `json:"compared"`
		Reasons  map[string]int64 `json:"reasons"`
		Losses   []jsonLoss       `json:"losses"`
		Types    []row            `json:"types"`
		Contexts []row            `json:"contexts"`
	}{CheckSchema, c.File, c.Check.Rule, c.Check.Counted, c.Check.Arrays, c.Check.Certain, c.Check.Compared,
		jsonReasons(c.Check.Reasons), newJSONLosses(c.Profile), []row{}, []row{}}
	for _, t := range c.Check.Types {
		all.Types = append(all.Types, newRow(t))
	}
	for _, d := range c.Check.Contexts {
		r := newRow(d.CheckedType)
		r.Stack = jsonStack(c.stack(d))
		all.Contexts = append(all.Contexts, r)
	}
	text, err := marshal(all, "  ")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

func jsonReasons(counts profile.ReasonCounts) map[string]int64 {
	reasons := map[string]int64{}
	for r, n := range counts {
		if n != 0 {
			reasons[profile.Reason(r).String()] = n
		}
	}
	return reasons
}
