package profile

import "slices"

const (
	hashedContexts = "hashed" // in trace.Process.Track where contexts were hashed
	hashes         = 1 << 63  // that there can be: the even numbers of 64 bits
)

// ContextFacts says what there is of contexts.
type ContextFacts struct {
	Contexts int    // chains of calls that are kept apart
	Deepest  int    // calls of the longest
	Calls    int64  // invocations in all; 0 where they are not counted, with hashed contexts
	Unknown  Amount // allocated where the caller is not known

	// Confused bounds the probability that somewhere two contexts of a thread have one hash, and so are one context
	// here; 0 where contexts are no hashes, or where it is not known how many each thread has.
	Confused float64

	unknown []bool // by context, whether its outermost caller is not known
}

// ContextFacts counts the contexts; nil if they were not tracked.
func (p *Profile) ContextFacts() *ContextFacts {
	if !p.Tracked {
		return nil
	}
	var facts ContextFacts
	depths := make([]int, len(p.Contexts))
	facts.unknown = make([]bool, len(p.Contexts))
	for i, c := range p.Contexts {
		m := &p.Methods[c.Method]
		if c.Parent >= 0 {
			depths[i], facts.unknown[i] = depths[c.Parent], facts.unknown[c.Parent]
		} else {
			facts.unknown[i] = m.Class == "" && !m.Transaction
		}
		if !m.Transaction {
			depths[i]++
		}
		if m.Class == "" {
			continue
		}
		facts.Contexts++
		facts.Deepest = max(facts.Deepest, depths[i])
		facts.Calls += c.Calls
	}
	if p.Process != nil && p.ContextTotals != nil && slices.Contains(p.Process.Track, hashedContexts) {
		facts.Confused = float64(p.ContextTotals.Pairs) / hashes
	}
	for i := range p.Threads {
		for _, c := range p.Threads[i].Cells {
			if facts.unknown[c.Context] {
				facts.Unknown.Add(c.Amount)
			}
		}
	}
	return &facts
}
