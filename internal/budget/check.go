package budget

import (
	"fmt"
	"strings"

	"mallard/internal/profile"
	"mallard/internal/waste"
)

// Status is how a rule came out.
type Status string

const (
	OK      Status = "ok"
	Over    Status = "over"    // more was allocated than the limit
	Unknown Status = "unknown" // the recording cannot say, or has nothing of that name
)

// Result is what came of a rule.
type Result struct {
	Rule   *Rule
	Status Status
	Value  int64         // bytes or objects, as the limit
	Most   *profile.Site // the line that led to most of it, or a site where no line is known; nil where nothing was
	Of     int64         // what that line led to
	Reason string        // why the status is unknown
}

// By is how much was allocated beyond the limit.
func (r *Result) By() int64 { return max(r.Value-r.Rule.Limit.Max, 0) }

// Text says in a line by how much a rule is over, and who allocated most.
func (r *Result) Text() string {
	l := r.Rule.Limit
	is := "is"
	if l.Objects && r.Value != 1 {
		is = "are"
	}
	share := ""
	if l.Max > 0 {
		share = fmt.Sprintf(" (%.0f %%)", 100*float64(r.By())/float64(l.Max))
	}
	return fmt.Sprintf("%s %s %s %s%s over the budget of %s%s", l.Text(r.Value), r.Rule.About(), is, l.Text(r.By()),
		share, l, r.who())
}

func (r *Result) who() string {
	if r.Most == nil {
		return ""
	}
	at := r.Most.Class + "." + r.Most.Method
	if r.Most.Source != "" && r.Most.Line >= 0 {
		at = fmt.Sprintf("%s(%s:%d)", at, r.Most.Source, r.Most.Line)
	}
	return fmt.Sprintf("; most by %s (%s)", at, r.Rule.Limit.Text(r.Of))
}

// Check holds a recording against a rule. Who allocated most is a line of the user's own code: what the rule says that
// is, else mine, else, where that is nil, what is assumed.
func Check(p *profile.Profile, rule *Rule, mine *profile.Mine) *Result {
	if rule.wrong != "" {
		return &Result{Rule: rule, Status: Unknown, Reason: rule.wrong}
	}
	if reason, absent := unknown(p, rule); reason != "" {
		if absent && rule.Optional {
			return &Result{Rule: rule, Status: OK}
		}
		return &Result{Rule: rule, Status: Unknown, Reason: reason}
	}
	query := profile.Query{By: profile.ByCaller, Filter: rule.Filter, Mine: mine}
	switch {
	case rule.Mine != "":
		query.Mine = &profile.Mine{Patterns: rule.Mine}
	case rule.Test != "": // the main class is JUnit's
		query.Mine = profile.OutsideJDK()
	}
	a := rule.measure(p, query)
	each := int64(1)
	if rule.Each {
		if each = p.TransactionCount(rule.Filter.Transaction); each <= 0 {
			return &Result{Rule: rule, Status: Unknown,
				Reason: "the recording does not say how many transactions began"}
		}
	}
	r := rule.hold(a.amount, each)
	r.Most, r.Of = a.most, a.of
	return r
}

// Hold holds what was allocated against the rule of a test. Who allocated most is not known.
func (r *Rule) Hold(selected profile.Amount) *Result {
	if r.wrong != "" {
		return &Result{Rule: r, Status: Unknown, Reason: r.wrong}
	}
	return r.hold(selected, 1)
}

// hold holds what was allocated so many times against the rule.
func (r *Rule) hold(selected profile.Amount, each int64) *Result {
	if !r.Limit.Objects && selected.Unsized > 0 {
		return &Result{Rule: r, Status: Unknown,
			Reason: counted(selected.Unsized, "object") + " have an unknown size"}
	}
	value := (r.Limit.Of(selected) + each - 1) / each // a part of a byte is one
	if value > r.Limit.Max {
		return &Result{Rule: r, Status: Over, Value: value}
	}
	return &Result{Rule: r, Status: OK, Value: value}
}

// allocated is what a rule is about, and the line that led to most of it.
type allocated struct {
	limit  Limit
	amount profile.Amount
	most   *profile.Site
	of     int64
}

// add takes a line that led to some of it.
func (a *allocated) add(line *profile.Site, amount profile.Amount) {
	if n := a.limit.Of(amount); n > a.of {
		a.most, a.of = line, n
	}
}

// measure asks a recording for what a rule selects.
func (r *Rule) measure(p *profile.Profile, query profile.Query) allocated {
	a := allocated{limit: r.Limit}
	if r.Waste != "" {
		answer := waste.Ask(p, waste.Query{Filter: query.Filter, Mine: query.Mine})
		for _, row := range answer.Rows {
			if !r.isWaste(row.Kind) {
				continue
			}
			a.amount.Add(row.Amount)
			for i := range row.Places {
				a.add(row.Places[i].Line, row.Places[i].Amount)
			}
		}
		return a
	}
	lines := p.Rows(query)
	a.amount = lines.Selected
	if r.Mine != "" {
		a.amount = profile.Amount{}
	}
	for i := range lines.Rows {
		row := &lines.Rows[i]
		if r.Mine != "" {
			a.amount.Add(row.Self)
		}
		a.add(row.Site, row.Self)
	}
	if a.most == nil && r.Mine == "" {
		query.By = profile.BySite
		for _, row := range p.Rows(query).Rows {
			a.add(row.Site, row.Amount)
		}
	}
	return a
}

// unknown says why a recording cannot answer a rule; absent where it has nothing of a name in it. It is empty where it
// can.
func unknown(p *profile.Profile, rule *Rule) (reason string, absent bool) {
	if !p.Tracked && (rule.Filter.Under != "" || rule.Filter.Transaction != "") {
		return `recorded without contexts, so callers are unknown; "mallard run --track contexts" records them`, false
	}
	if none := p.NoMatch(rule.Filter); none != nil {
		return nothing(none.Flag, none.Pattern, none.Nearest), true
	}
	if rule.Mine == "" {
		return "", false
	}
	mine, classes := profile.Mine{Patterns: rule.Mine}, map[string]bool{}
	for i := range p.Methods {
		if mine.Is(p.Methods[i].Class) {
			return "", false
		}
		classes[p.Methods[i].Class] = true
	}
	return nothing("mine", rule.Mine, profile.Nearest(rule.Mine, func(yield func(string) bool) {
		for class := range classes {
			if !yield(class) {
				return
			}
		}
	})), true
}

func nothing(word, pattern string, nearest []string) string {
	text := fmt.Sprintf("%s: nothing in this recording matches %q", word, pattern)
	if len(nearest) > 0 {
		text += "; did you mean " + strings.Join(nearest, ", ") + "?"
	}
	return text
}
