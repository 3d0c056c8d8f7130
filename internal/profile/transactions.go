package profile

import (
	"slices"
	"strings"

	"mallard/internal/symbols"
)

// A transaction is what the program called so: mallard.Context.begin(name), until
// end(). It stands in the stacks of all that was done meanwhile, as a frame [name]
// outsideCode the frame of the method that began it.

// TransactionName is the name of the transaction that a method stands for, given its
// index in Profile.Methods; empty if it stands for none, or is none.
func (p *Profile) TransactionName(method int32) string {
	if method < 0 || !p.Methods[method].Transaction {
		return ""
	}
	return unbracketed(p.Methods[method].Name)
}

func unbracketed(name string) string { return strings.TrimSuffix(strings.TrimPrefix(name, "["), "]") }

// Transactions returns for each context the innermost transaction that it is in: an
// index in Profile.Methods, -1 for none.
func (p *Profile) Transactions() []int32 {
	in := make([]int32, len(p.Contexts))
	for i := range p.Contexts {
		c := &p.Contexts[i]
		switch {
		case p.Methods[c.Method].Transaction:
			in[i] = c.Method
		case c.Parent >= 0:
			in[i] = in[c.Parent]
		default:
			in[i] = -1
		}
	}
	return in
}

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
			rows = append(rows, Row{Transaction: p.TransactionName(int32(i)), Amount: amounts[i+1]})
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return strings.Compare(a.Transaction, b.Transaction) })
	return rows
}

// stackMatch says what the stack of a node has that a filter asks for. A hidden method
// counts for its own node only.
type stackMatch struct {
	here, below bool   // a method
	selected    bool   // a transaction
	innermost   string // transaction
}

// codeLocation says so of a context, given by its index in the folder; symbols.Lost stands for the
// site's method alone.
func (t *timeFolder) matchStack(node int32, site *Site) stackMatch {
	f := &t.timeline.Query.Filter
	if node == symbols.Lost {
		return stackMatch{here: f.Under == "" || match(f.Under, site.Class+"."+site.Method),
			selected: f.Transaction == ""}
	}
	c := &t.folder.contexts
	for i := len(t.matches); i < len(c.Nodes); i++ {
		n := &c.Nodes[i]
		b := stackMatch{here: f.Under == "", below: f.Under == "", selected: f.Transaction == ""}
		if n.Parent >= 0 {
			b = t.matches[n.Parent]
			b.here = b.below
		}
		if m := c.MethodOf(int32(i)); m != nil {
			matches := f.Under != "" && match(f.Under, m.Key.Title())
			b.here = b.here || matches
			b.below = b.below || matches && !m.Hidden
			if m.Key.IsTransaction() {
				b.innermost = unbracketed(m.Key.Name)
				b.selected = b.selected || match(f.Transaction, b.innermost)
			}
		}
		t.matches = append(t.matches, b)
	}
	return t.matches[node]
}
