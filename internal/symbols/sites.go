package symbols

import "mallard/internal/trace"

// maxSites bounds the table that is indexed by a recording's numbers of sites: one above it is damage, not a
// definition.
const maxSites = 1 << 24

// Site is a place in a method that allocates one type. It is the same in all instrumented versions of a class.
type Site struct {
	Method MethodKey
	Def    trace.SiteDef // whose Type is in the internal form
	Source string        // source file, empty if unknown
}

// siteKey is what makes a site the same.
type siteKey struct {
	method MethodKey
	def    trace.SiteDef
}

// Site gives the index in Sites of what a number stands for now; false if its definition is missing.
func (t *Table) Site(id trace.SiteID) (index int32, known bool) {
	if int(id) >= len(t.numbered) || t.numbered[id] < 0 {
		return 0, false
	}
	return t.numbered[id], true
}

// AddSite gives the index of a site, of a new one if there was none.
func (t *Table) AddSite(method MethodKey, def trace.SiteDef, source string) int32 {
	def.Type = t.Intern(def.Type)
	key := siteKey{method, def}
	index, known := t.siteIndexes[key]
	if !known {
		index = int32(len(t.Sites))
		t.siteIndexes[key] = index
		t.Sites = append(t.Sites, Site{method, def, source})
	}
	return index
}

// number notes what site a number stands for.
func (t *Table) number(id int, index int32) {
	for len(t.numbered) <= id {
		t.numbered = append(t.numbered, -1)
	}
	t.numbered[id] = index
}
