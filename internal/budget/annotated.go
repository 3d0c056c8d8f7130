package budget

import (
	"regexp"

	"mallard/internal/profile"
)

// annotated is the name of a transaction that mallard.AllocatesExtension makes of an invocation of a test.
var annotated = regexp.MustCompile(`^@Allocates\(max = "([^"]*)"\) (\S+)( #[0-9]+)?$`)

// Annotated gives the rules that tests with mallard.Allocates have brought along, one for each invocation, by name.
func Annotated(p *profile.Profile) (rules []Rule) {
	for i := range p.Methods {
		if rule, ok := OfTest(p.TransactionName(int32(i))); ok {
			rules = append(rules, rule)
		}
	}
	return rules
}

// OfTest gives the rule that an invocation of a test with mallard.Allocates has, by the name of its transaction; false
// for that of no test.
func OfTest(transaction string) (rule Rule, ok bool) {
	parts := annotated.FindStringSubmatch(transaction)
	if parts == nil {
		return Rule{}, false
	}
	rule = Rule{Text: transaction, Test: parts[2] + parts[3], Optional: true,
		Filter: profile.Filter{Under: parts[2], Transaction: transaction}}
	var err error
	if rule.Limit, err = ParseLimit(parts[1]); err != nil {
		rule.wrong = err.Error()
	}
	return rule, true
}
