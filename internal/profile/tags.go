package profile

import (
	"cmp"
	"slices"
	"sort"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// tagRange is the tags of the objects that a class version makes: as many as it has sites, the first of which has the
// number of the first counter.
type tagRange struct {
	first, sites uint32
	site         trace.SiteID // of the first
}

// tagRanges are in the order of definition, then of tags.
type tagRanges []tagRange

func (r *tagRanges) define(class *trace.ClassDef) {
	sites := 0
	for i := range class.Methods {
		sites += len(class.Methods[i].Sites)
	}
	if sites > 0 {
		*r = append(*r, tagRange{uint32(class.CounterBase), uint32(sites), class.SiteBase})
	}
}

// sitesIn gives the sites of tags. Where numbers were given again, they are those of who had them last. The function is
// one goroutine's.
func (r tagRanges) sitesIn(table *symbols.Table) func(tag uint32) *Site {
	ranges := slices.Clone(r)
	slices.SortStableFunc(ranges, func(a, b tagRange) int { return cmp.Compare(a.first, b.first) })
	sites := map[int32]*Site{} // by index in the table
	return func(tag uint32) *Site {
		i := sort.Search(len(ranges), func(i int) bool { return ranges[i].first > tag }) - 1
		if i < 0 || tag-ranges[i].first >= ranges[i].sites {
			return nil
		}
		index, known := table.Site(ranges[i].site + trace.SiteID(tag-ranges[i].first))
		if !known {
			return nil
		}
		if sites[index] == nil {
			site := exportedSite(table, &table.Sites[index], Amount{})
			sites[index] = &site
		}
		return sites[index]
	}
}

// Tagged gives the site that has made objects with a tag, without amounts, the same each time; nil where nobody knows.
// Objects may be of another type than its: of what calls make the code does not always tell. One goroutine at a time
// may ask.
func (p *Profile) Tagged(tag uint32) *Site {
	if p.tagged == nil {
		return nil
	}
	return p.tagged(tag)
}
