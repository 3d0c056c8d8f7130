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
		if !p.Methods[i].Transaction {
			continue
		}
		name := p.TransactionName(int32(i))
		parts := annotated.FindStringSubmatch(name)
		if parts == nil {
			continue
		}
		rule := Rule{Text: name, Test: parts[2] + parts[3], Optional: true,
			Filter: profile.Filter{Under: parts[2], Transaction: name}}
		var err error
		if rule.Limit, err = ParseLimit(parts[1]); err != nil {
			rule.wrong = err.Error()
		}
		rules = append(rules, rule)
	}
	return rules
}
