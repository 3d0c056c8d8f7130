package diff

import (
	"hash/maphash"
	"iter"

	"mallard/internal/profile"
)

// code is what recordings know of a program's classes: for each a hash of its sites.
type code struct {
	seed    maphash.Seed
	classes map[string]uint64
}

// newCode takes the sites of recordings of one program. What the VM made is no class of a program's: no two runs need
// make the same.
func newCode(seed maphash.Seed, profiles []*profile.Profile, n *names) *code {
	c := &code{seed, map[string]uint64{}}
	for _, p := range profiles {
		classes := map[string]uint64{}
		for site := range definedSites(p) {
			if n.stableName(site.Class) == site.Class {
				classes[site.Class] += maphash.Comparable(seed, sitePlace{site.Method, site.Descriptor,
					n.stableName(site.Type), site.BCI, site.Line})
			}
		}
		for class, sum := range classes {
			c.classes[class] = sum
		}
	}
	return c
}

// sitePlace is what tells a site of a class from all others.
type sitePlace struct {
	method, descriptor, allocated string
	bci, line                     int32
}

func definedSites(p *profile.Profile) iter.Seq[*profile.Site] {
	return func(yield func(*profile.Site) bool) {
		for i := range p.Sites {
			if s := &p.Sites[i]; !s.Executed && !yield(s) {
				return
			}
		}
		p.IdleSites()(yield)
	}
}

// unchanged gives the outermost classes of which both sides have the same sites, as far as both have loaded what is
// inside them. Of classes without sites nobody knows.
func (c *code) unchanged(other *code) map[string]bool {
	same := map[string]bool{}
	for class, sum := range c.classes {
		if others, both := other.classes[class]; both {
			outer := outermost(class)
			before, known := same[outer]
			same[outer] = (before || !known) && sum == others
		}
	}
	return same
}
