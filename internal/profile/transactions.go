package profile

import "strings"

// A transaction is what the program called so: mallard.Context.begin(name), until
// end(). It stands in the stacks of all that was done meanwhile, as a frame [name]
// behind the frame of the method that began it.

// TransactionName is the name of the transaction that a method stands for, given its
// index in Profile.Methods; empty if it stands for none, or is none.
func (p *Profile) TransactionName(method int32) string {
	if method < 0 || !p.Methods[method].Transaction {
		return ""
	}
	return Unbracketed(p.Methods[method].Name)
}

// Unbracketed is the name of a transaction, given that of its frame.
func Unbracketed(name string) string { return strings.TrimSuffix(strings.TrimPrefix(name, "["), "]") }

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

// TransactionOf is the name of the transactions in which more than half of a site's objects were made, innermost ones,
// and what was made there; empty if there are none. The site need not have an amount.
func (p *Profile) TransactionOf(site *Site) (name string, made Amount) {
	in, wanted := p.Transactions(), make([]bool, len(p.Sites))
	for i, s := range p.Sites {
		s.Amount = site.Amount
		wanted[i] = s == *site
	}
	all, of := int64(0), map[int32]Amount{} // objects, and amounts by the transaction's method
	for i := range p.Threads {
		for _, cell := range p.Threads[i].Cells {
			if !wanted[cell.Site] {
				continue
			}
			all += cell.Amount.Objects
			if cell.Context >= 0 {
				sum := of[in[cell.Context]]
				sum.Add(cell.Amount)
				of[in[cell.Context]] = sum
			}
		}
	}
	for method, amount := range of {
		if amount.Objects > all/2 {
			return p.TransactionName(method), amount
		}
	}
	return "", Amount{}
}

// TransactionSizes gives the sizes of a name's transactions, nil where they are not recorded.
func (p *Profile) TransactionSizes(name string) *TransactionSizes { return p.sizes[name] }

// HasTransactionSizes reports whether there are any.
func (p *Profile) HasTransactionSizes() bool { return len(p.sizes) > 0 }
