package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// From here on objects whose callers are not known are a loss: in all, and one in so many of a recording of contexts.
const (
	manyUnknown = 100
	oneOfIsMany = 1000
)

// describeUnknownCallers says how many objects have no known callers, and what methods made most of them, where they
// are so many that contexts mislead; nothing where they are not.
func (p *Profile) describeUnknownCallers() (objects int64, detail string) {
	facts := p.ContextFacts()
	if facts == nil {
		return 0, ""
	}
	objects = facts.Unknown.Objects
	if objects < manyUnknown || objects < p.Total.Objects/oneOfIsMany {
		return 0, ""
	}
	return objects, fmt.Sprintf("objects whose callers are not known, %.1f %% of all; these made most: %s",
		100*float64(objects)/float64(p.Total.Objects), some(p.methodsOf(facts)))
}

// methodsOf names the methods that made what has no known callers, those that made most first.
func (p *Profile) methodsOf(facts *ContextFacts) []string {
	made := map[string]int64{}
	for i := range p.Threads {
		for _, c := range p.Threads[i].Cells {
			if facts.unknown[c.Context] {
				s := &p.Sites[c.Site]
				made[s.Class+"."+s.Method] += c.Amount.Objects
			}
		}
	}
	var names []string
	for name, objects := range made {
		if objects > 0 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(made[b], made[a]), strings.Compare(a, b))
	})
	return names
}
