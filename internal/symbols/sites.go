package symbols

import (
	"hash/maphash"

	"mallard/internal/trace"
)

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
	hash := maphash.Comparable(t.seed, siteKey{method, def})
	for ; ; hash++ { // which few sites share
		index, known := t.siteIndexes[hash]
		if !known {
			break
		}
		if s := &t.Sites[index]; s.Method == method && s.Def == def {
			return index
		}
	}
	index := int32(len(t.Sites))
	t.siteIndexes[hash] = index
	t.Sites = append(t.Sites, Site{method, def, source})
	return index
}

// number notes what site a number stands for.
func (t *Table) number(id int, index int32) {
	for len(t.numbered) <= id {
		t.numbered = append(t.numbered, -1)
	}
	t.numbered[id] = index
}
