package profile

import (
	"iter"

	"mallard/internal/symbols"
)

// Sample is what one thread allocated at one site in one context: a weighted
// stack.
type Sample struct {
	Index   int32 // of Site in Profile.Sites
	Site    *Site
	Thread  *Thread
	Context int32 // index in Profile.Contexts
	Amount  Amount
}

// Samples yields everything that passes the filter, thread by thread, each
// thread's samples in order of the sites, then of the contexts.
func (p *Profile) Samples(f Filter) iter.Seq[Sample] {
	return func(yield func(Sample) bool) {
		selected := p.selected(f)
		for i := range p.Threads {
			thread := &p.Threads[i]
			if !f.thread(thread) {
				continue
			}
			for k := range thread.Cells {
				c := &thread.Cells[k]
				if selected.cell(c) && !yield(Sample{c.Site, &p.Sites[c.Site], thread, c.Context, c.Amount}) {
					return
				}
			}
		}
	}
}

// selection is a Filter, evaluated.
type selection struct {
	sites    []bool // by site: passes
	contexts []bool // by context: passes; nil if all do
}

func (s *selection) cell(c *Cell) bool {
	return s.sites[c.Site] && (s.contexts == nil || s.contexts[c.Context])
}

// selected evaluates all of a filter but the threads.
func (p *Profile) selected(f Filter) selection {
	s := selection{sites: make([]bool, len(p.Sites))}
	for i := range p.Sites {
		s.sites[i] = f.site(&p.Sites[i])
	}
	if f.Under != "" {
		s.contexts = p.below(func(m *symbols.Method) bool { return MatchName(f.Under, m.Title()) })
	}
	if f.Transaction == "" {
		return s
	}
	in := p.below(func(m *symbols.Method) bool {
		return m.Transaction && MatchTitle(f.Transaction, Unbracketed(m.Name))
	})
	for i := range s.contexts {
		in[i] = in[i] && s.contexts[i]
	}
	s.contexts = in
	return s
}

// Selection is a Filter, evaluated: what passes, by index in Sites, Contexts and Threads of a Profile. nil is all.
type Selection struct{ Sites, Contexts, Threads []bool }

// Selection evaluates a filter.
func (p *Profile) Selection(f Filter) *Selection {
	if f.IsZero() {
		return &Selection{}
	}
	selected := p.selected(f)
	s := &Selection{Sites: selected.sites, Contexts: selected.contexts, Threads: make([]bool, len(p.Threads))}
	for i := range p.Threads {
		s.Threads[i] = f.thread(&p.Threads[i])
	}
	return s
}

// below returns for each context whether its stack has such a method.
func (p *Profile) below(wanted func(*symbols.Method) bool) []bool {
	methods := make([]bool, len(p.Methods))
	for i := range p.Methods {
		methods[i] = wanted(&p.Methods[i])
	}
	contexts := make([]bool, len(p.Contexts))
	for i := range p.Contexts {
		c := &p.Contexts[i]
		contexts[i] = methods[c.Method] || c.Parent >= 0 && contexts[c.Parent]
	}
	return contexts
}

// Selected sums what passes a filter.
func (p *Profile) Selected(f Filter) (sum Amount) {
	for s := range p.Samples(f) {
		sum.Add(s.Amount)
	}
	return sum
}
