package budget

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"mallard/internal/profile"
	"mallard/internal/waste"
)

// Rule is a limit for what a filter selects.
type Rule struct {
	Line     int    // of the file, from 1; 0 for the annotation of a test
	Text     string // as it stands there, without its comment
	Limit    Limit
	Filter   profile.Filter
	Mine     string // only what these classes led to; empty for all
	Waste    string // only waste of these kinds, or all of it: AllWaste; empty for all that is allocated
	Each     bool   // the limit is for one transaction of those that the filter names, in the mean
	Optional bool   // nothing of that name is no mistake
	Test     string // the test with the annotation; empty for none
	wrong    string // why there is no limit
}

// About says what the rule selects, behind a number: of String under Order.total.
func (r *Rule) About() string {
	if r.Test != "" {
		return "in test " + r.Test
	}
	var parts []string
	for i, word := range filterWords {
		switch value := *r.part(word); {
		case value == "":
		case word == "waste" && value == AllWaste:
			parts = append(parts, "of waste")
		case word == "waste":
			parts = append(parts, "of waste ("+value+")")
		case word == "transaction" && r.Each:
			parts = append(parts, "in each transaction "+value)
		default:
			parts = append(parts, about[i]+" "+value)
		}
	}
	if parts == nil {
		return "in all"
	}
	return strings.Join(parts, " ")
}

// Mistake says why the annotation of a test has no limit; empty where it has one.
func (r *Rule) Mistake() string { return r.wrong }

// Words of a rule, and what About has for each.
var (
	filterWords = []string{"waste", "class", "method", "under", "transaction", "thread", "mine"}
	about       = []string{"of", "of", "in", "under", "in transaction", "in thread", "by"}
)

// part is where the value of a word of a rule is kept; nil for no such word.
func (r *Rule) part(word string) *string {
	switch word {
	case "class":
		return &r.Filter.Class
	case "method":
		return &r.Filter.Method
	case "under":
		return &r.Filter.Under
	case "transaction":
		return &r.Filter.Transaction
	case "thread":
		return &r.Filter.Thread
	case "mine":
		return &r.Mine
	case "waste":
		return &r.Waste
	}
	return nil
}

// maxRules bounds a file of rules, bytes.
const maxRules = 1 << 20

// ParseRules reads rules, one a line. Errors begin with line and column.
func ParseRules(r io.Reader) (rules []Rule, err error) {
	text, err := io.ReadAll(io.LimitReader(r, maxRules+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxRules {
		return nil, fmt.Errorf("more than %d bytes", maxRules)
	}
	for i, line := range strings.Split(string(text), "\n") {
		words, err := split(line)
		if err == nil && len(words) > 0 {
			var rule Rule
			if rule, err = parseRule(words); err == nil {
				last := words[len(words)-1]
				rule.Line, rule.Text = i+1, line[words[0].at:last.end]
				rules = append(rules, rule)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%d:%w", i+1, err)
		}
	}
	return rules, nil
}

// A word of a rule, and where it stands in its line.
type word struct {
	text    string
	at, end int
}

// errorAt is an error at a column, which counts from 1.
func errorAt(at int, format string, args ...any) error {
	return fmt.Errorf("%d: %s", at+1, fmt.Sprintf(format, args...))
}

// split gives the words of a line up to its comment. Those in ' or " may have spaces.
func split(line string) (words []word, err error) {
	for i := 0; i < len(line); {
		switch c := line[i]; c {
		case ' ', '\t', '\r':
			i++
		case '#':
			return words, nil
		case '\'', '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 {
				return nil, errorAt(i, "a quote that is not closed")
			}
			words = append(words, word{line[i+1 : i+1+end], i, i + end + 2})
			i += end + 2
		default:
			end := i
			for end < len(line) && !strings.ContainsRune(" \t\r#", rune(line[end])) {
				end++
			}
			words = append(words, word{line[i:end], i, end})
			i = end
		}
	}
	return words, nil
}

func parseRule(words []word) (r Rule, err error) {
	if words[0].text != "max" {
		return r, errorAt(words[0].at, "%q: a rule begins with max, as in max 1 MB under com.shop.Order", words[0].text)
	}
	if len(words) == 1 || r.part(words[1].text) != nil {
		return r, errorAt(words[0].end, "missing limit, such as 1 MB or 0 objects")
	}
	limit, next := words[1].text, 2
	if next < len(words) && r.part(words[next].text) == nil && words[next].text != optional &&
		words[next].text != "per" {
		limit += " " + words[next].text
		next++
	}
	if r.Limit, err = ParseLimit(limit); err != nil {
		return r, errorAt(words[1].at, "%q: %v", limit, err)
	}
	for next < len(words) {
		if words[next].text == "per" && next+1 < len(words) && words[next+1].text == "transaction" {
			r.Each = true
			next++
		}
		w := words[next]
		value := r.part(w.text)
		switch {
		case w.text == optional:
			r.Optional = true
			next++
			continue
		case value == nil:
			return r, errorAt(w.at, "%q is none of %s, %s", w.text, strings.Join(filterWords, ", "), optional)
		case *value != "":
			return r, errorAt(w.at, "%s is there twice; several names are separated by commas", w.text)
		case next+1 == len(words) || words[next+1].text == "":
			return r, errorAt(w.end, "missing name behind %s", w.text)
		}
		*value = words[next+1].text
		if kind := r.unknownWaste(); kind != "" {
			return r, errorAt(words[next+1].at, "%q is no kind of waste: %s, or %s", kind, wasteKinds(), AllWaste)
		}
		next += 2
	}
	if r.Each && r.Filter.Thread != "" {
		return r, errorAt(words[0].at, "per transaction and thread: transactions are counted for all threads together")
	}
	return r, nil
}

const optional = "optional"

// AllWaste stands for all kinds of waste.
const AllWaste = "all"

// unknownWaste is the first name of the rule's that is no kind of waste; empty where there is none.
func (r *Rule) unknownWaste() string {
	if r.Waste == "" || r.Waste == AllWaste {
		return ""
	}
	for name := range strings.SplitSeq(r.Waste, ",") {
		if _, ok := waste.ParseKind(name); !ok {
			return cmp.Or(name, r.Waste)
		}
	}
	return ""
}

// isWaste reports whether the rule is for a kind of waste.
func (r *Rule) isWaste(k waste.Kind) bool {
	return r.Waste == AllWaste || slices.ContainsFunc(strings.Split(r.Waste, ","), func(name string) bool {
		named, ok := waste.ParseKind(name)
		return ok && named == k
	})
}

// wasteKinds are the words that stand for kinds of waste.
func wasteKinds() string {
	var words []string
	for _, k := range waste.Kinds() {
		words = append(words, strings.ReplaceAll(k.String(), " ", "-"))
	}
	return strings.Join(words, ", ")
}
