package profile

import (
	"cmp"
	"slices"
	"sort"

	"mallard/internal/abi"
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

// tagged gives the sites of tags, given where sites are in the Profile. Where numbers were given again, they are those
// of who had them last.
func (f *folder) tagged(published []int32) func(tag uint32) (site int32, known bool) {
	ranges := slices.Clone(f.tags)
	slices.SortStableFunc(ranges, func(a, b tagRange) int { return cmp.Compare(a.first, b.first) })
	return func(tag uint32) (int32, bool) {
		i := sort.Search(len(ranges), func(i int) bool { return ranges[i].first > tag }) - 1
		if i < 0 || tag-ranges[i].first >= ranges[i].sites || tag == abi.TagOthers {
			return 0, false
		}
		index, known := f.symbols.Site(ranges[i].site + trace.SiteID(tag-ranges[i].first))
		if !known || published[index] < 0 {
			return 0, false
		}
		return published[index], true
	}
}

// Tagged gives the site that has made objects with a tag; nil where nobody knows.
func (p *Profile) Tagged(tag uint32) *Site {
	site, known := p.tagged(tag)
	if !known {
		return nil
	}
	return &p.Sites[site]
}
