package profile

import (
	"slices"
	"strings"

	"mallard/internal/symbols"
)

// transactionRows returns a row for each transaction, of what was done in it and in
// none inside it, and one without a name for the rest.
func (p *Profile) transactionRows(f Filter) []Row {
	in := p.Transactions()
	amounts := make([]Amount, len(p.Methods)+1) // by method, that of the rest first
	for s := range p.Samples(f) {
		amounts[in[s.Context]+1].Add(s.Amount)
	}
	rows := []Row{{Amount: amounts[0]}}
	for i := range p.Methods {
		if p.Methods[i].Transaction {
			name := p.TransactionName(int32(i))
			rows = append(rows, Row{Transaction: name, Amount: amounts[i+1], Sizes: p.TransactionSizes(name)})
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return strings.Compare(a.Transaction, b.Transaction) })
	return rows
}

// TransactionCount is how many transactions began whose names match, as by [MatchTitle], without those inside others of
// them; 0 if the recording does not say.
func (p *Profile) TransactionCount(names string) (count int64) {
	wanted := p.below(func(m *symbols.Method) bool {
		return m.Transaction && MatchTitle(names, Unbracketed(m.Name))
	})
	for i := range p.Contexts {
		if c := &p.Contexts[i]; wanted[i] && (c.Parent < 0 || !wanted[c.Parent]) {
			count += c.Calls
		}
	}
	return count
}
