package heap

import (
	"cmp"
	"slices"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// siteKey is a site and a class that it has made, which may be another one than the code says, as of what is copied.
type siteKey struct {
	class          string // as sites know it
	holder, method string // with its loader, where several have loaded it; with its descriptor
	bci            int32
	known          bool // else nobody knows where
}

func newSiteKey(class string, site *profile.Site) siteKey {
	if site == nil {
		return siteKey{class: class}
	}
	return siteKey{class, site.Class + site.Loader, site.Method + site.Descriptor, site.BCI, true}
}

// bySite gives what each site has counted of a class, and what was born of it there, given what was born of each class
// of a history; and, of each class, what was born nobody knows where.
func (c *Counts) bySite(born []Amount) (list []*Counted) {
	rows, unsited := map[siteKey]*Counted{}, map[string]*Counted{}
	row := func(class string, site *profile.Site) *Counted {
		key := newSiteKey(class, site)
		if rows[key] == nil {
			rows[key] = &Counted{Name: class, Made: site}
			list = append(list, rows[key])
		}
		return rows[key]
	}
	for _, r := range c.counts.Rows(profile.Query{By: profile.BySite}).Rows {
		if r.Amount.Objects > 0 {
			counted := row(sitesName(r.Class), r.Site)
			counted.Sites = 1
			counted.Counted = counted.Counted.plus(Amount{r.Amount.Objects, r.Amount.Bytes})
			counted.Unsized = saturated(counted.Unsized, r.Amount.Unsized)
		}
	}
	for class, amount := range born {
		if of := c.of[class]; of != nil && amount != (Amount{}) {
			there := row(of.Name, c.Site(Class(class)))
			there.Born = there.Born.plus(amount)
			if there.Made == nil {
				unsited[of.Name] = there
			}
		}
	}
	for _, r := range list {
		if there := unsited[r.Name]; there != nil && r.isOfVM() {
			r.Born = r.Born.plus(there.give(r.Counted.minus(r.Born)))
		}
	}
	for _, r := range list {
		if there := unsited[r.Name]; there != nil && r != there {
			r.others = there.Born
			less := r.Counted.minus(r.Born)
			there.others = there.others.plus(Amount{max(0, less.Objects), max(0, less.Bytes)})
		}
	}
	slices.SortStableFunc(list, func(a, b *Counted) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// isOfVM reports whether the VM has made a site's objects: they have no tags, and it makes each that it counts.
func (c *Counted) isOfVM() bool { return c.Made != nil && c.Made.Class == symbols.VM }

// give takes so much of what was born nobody knows where, as far as there is of it.
func (c *Counted) give(a Amount) Amount {
	a = Amount{max(0, min(a.Objects, c.Born.Objects)), max(0, min(a.Bytes, c.Born.Bytes))}
	c.Born = c.Born.minus(a)
	return a
}
