package heap

import (
	"cmp"
	"slices"
	"strings"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// Counts hold what was born in the heap, in all of a recording, against what sites have counted, by class.
type Counts struct {
	list   []*Counted     // by name
	of     []*Counted     // by Class
	made   []profile.Made // by Class: what has tagged its objects
	counts *profile.Profile
	others Amount // born, of classes that are not known
	late   bool   // not all births are known
	tags   bool   // nor what sites have counted: there are tags alone
}

// Counted is what sites have counted of a class, and what was born of it.
type Counted struct {
	Name    string // as sites know it: several hidden classes may have one
	Sites   int    // that have counted objects
	Counted Amount
	Unsized int64  // of the objects counted, those whose bytes are not known
	Born    Amount // of all classes of that name

	// Where rows are of sites: the one that has counted, nil for what was born and nobody knows where.
	Made   *profile.Site
	others Amount // of a site: what was born nobody knows where; of that: what sites counted and was not born there

	first *profile.Site
}

// Site gives the one that has made all of the objects, as far as that is known; nil if it is not: several did, or more
// were born than were counted.
func (c *Counted) Site() *profile.Site {
	if c == nil || c.Sites != 1 || c.IsUncounted() {
		return nil
	}
	return c.first
}

// IsUncounted reports whether some of the objects were not counted: the JVM, or native code, has made them.
func (c *Counted) IsUncounted() bool { return c.Born.Objects > c.Counted.Objects }

// NewCounts compares a recording's heap with its sites.
func NewCounts(h *History, p *profile.Profile) *Counts {
	byName := map[string]*Counted{}
	named := func(name string) *Counted {
		c, known := byName[name]
		if !known {
			c = &Counted{Name: name}
			byName[name] = c
		}
		return c
	}
	for _, row := range p.Rows(profile.Query{By: profile.BySite}).Rows {
		if row.Amount.Objects <= 0 {
			continue
		}
		c := named(sitesName(row.Class))
		if c.Sites++; c.first == nil {
			c.first = row.Site
		}
		c.Counted = c.Counted.plus(Amount{row.Amount.Objects, row.Amount.Bytes})
		c.Unsized = saturated(c.Unsized, row.Amount.Unsized)
	}
	counts := &Counts{of: make([]*Counted, len(h.classes.names)), made: h.classes.made, counts: p, late: h.IsLate()}
	for class, born := range h.born() {
		switch class := Class(class); class {
		case Other:
			counts.others = born
		case Unused:
		default:
			c := named(sitesName(h.Name(class)))
			c.Born = c.Born.plus(born)
			counts.of[class] = c
		}
	}
	for _, c := range byName {
		counts.list = append(counts.list, c)
	}
	slices.SortFunc(counts.list, func(a, b *Counted) int { return cmp.Compare(a.Name, b.Name) })
	return counts
}

// NewTags knows what objects are tagged with, and no counts: those of a recording of which a part was read.
func NewTags(h *History, p *profile.Profile) *Counts {
	return &Counts{of: make([]*Counted, len(h.classes.names)), made: h.classes.made, counts: p, late: true, tags: true}
}

// AreTags reports whether sites are known by tags alone, so that there is nothing else to say of what has none.
func (c *Counts) AreTags() bool { return c.tags }

// Of is nil for what is no class of the program's, and where there are tags alone.
func (c *Counts) Of(class Class) *Counted { return c.of[class] }

// Site is the one that has made the objects of a class, nil if it is not known: that which they are tagged with, or the
// only one there is.
func (c *Counts) Site(class Class) *profile.Site {
	if site := c.made[class].Site; site != nil || c.late {
		return site
	}
	return c.of[class].Site()
}

// IsNumberless reports whether a class's objects are of sites that had no number of their own.
func (c *Counts) IsNumberless(class Class) bool { return c.made[class].Numberless }

// Stack is that in which the objects of a class were made, innermost first, nil if it is not known.
func (c *Counts) Stack(class Class) []symbols.Frame {
	made := c.made[class]
	if made.Site == nil || made.Context == profile.NoContext {
		return nil
	}
	return c.counts.Stack(made.Site, made.Context)
}

// born gives what was born of each class.
func (h *History) born() []Amount {
	sums := make([]Amount, len(h.classes.names))
	for _, s := range h.states(len(h.Pauses)) {
		for _, e := range s.born.all() {
			sums[e.class] = sums[e.class].plus(e.Amount)
		}
	}
	return sums
}

// sitesName is a class's name as sites know it. Of a hidden class it is without what the JVM adds, and of a lambda's
// without the number that the JDK adds until 20: Main$$Lambda$7/0x00000001000e2d60[] is Main$$Lambda[].
func sitesName(name string) string {
	element := strings.TrimRight(name, "[]")
	levels := name[len(element):]
	if start := strings.LastIndex(element, "/0x"); start >= 0 {
		element = element[:start]
	}
	if start := strings.LastIndex(element, lambda); start >= 0 {
		if end := start + len(lambda); strings.Trim(element[end:], "0123456789") == "$" {
			element = element[:end]
		}
	}
	return element + levels
}

// lambda is in the names of classes that the JDK makes for lambdas and references to methods.
const lambda = "$$Lambda"
