package profile

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

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

// contextTag is what objects are tagged with that a site makes in a context.
type contextTag struct {
	tag  uint32
	site int32 // index in symbols.Table.Sites
	node int32
	// whose node it is: another thread that has it later takes other tags
	thread trace.ThreadID
}

// sitesIn gives what tags stand for: in contexts, whose context is that of their node, renumbered, or else the sites of
// class versions, those that had a number last. The function is one goroutine's.
func (r tagRanges) sitesIn(table *symbols.Table, inContexts []contextTag, context func(node int32) int32,
	threads tagThreads) func(tag uint32) Made {
	ranges := slices.Clone(r)
	slices.SortStableFunc(ranges, func(a, b tagRange) int { return cmp.Compare(a.first, b.first) })
	sites := map[int32]*Site{} // by index in the table
	site := func(index int32) *Site {
		if sites[index] == nil {
			site := exportedSite(table, &table.Sites[index], Amount{})
			sites[index] = &site
		}
		return sites[index]
	}
	return func(tag uint32) Made {
		if inContexts != nil {
			i := sort.Search(len(inContexts), func(i int) bool { return inContexts[i].tag > tag }) - 1
			if i < 0 || inContexts[i].tag != tag {
				return Made{}
			}
			return Made{site(inContexts[i].site), context(inContexts[i].node), threads.title(inContexts[i].thread)}
		}
		i := sort.Search(len(ranges), func(i int) bool { return ranges[i].first > tag }) - 1
		if i < 0 || tag-ranges[i].first >= ranges[i].sites {
			return Made{}
		}
		index, known := table.Site(ranges[i].site + trace.SiteID(tag-ranges[i].first))
		if !known {
			return Made{}
		}
		return Made{site(index), NoContext, threads.ofSite[index]}
	}
}

// tagThreads says which threads make tagged objects.
type tagThreads struct {
	titles map[trace.ThreadID]string // of those that are kept apart
	ofSite map[int32]string          // by index in the table: of those that have counted there, all of one title
}

// title is "" for a thread of which no record is known.
func (t tagThreads) title(id trace.ThreadID) string { return t.titles[id] }

// Tagged gives what has made objects with a tag, the same site each time. Objects may be of another type than the
// site's: of what calls make the code does not always tell. One goroutine at a time may ask.
func (p *Profile) Tagged(tag uint32) Made {
	if p.tagged == nil {
		return Made{Context: NoContext}
	}
	made := p.tagged(tag)
	if made.Site == nil {
		made.Context = NoContext
	}
	return made
}

// Loader names a class loader, and says whether several have loaded classes of a name, which is in Java's words. Arrays
// have the loader of what is in them.
func (p *Profile) Loader(class string, loader trace.LoaderID) (title string, several bool) {
	if p.loader == nil {
		return fmt.Sprintf("loader @%d", loader), false
	}
	return p.loader(strings.ReplaceAll(strings.TrimRight(class, "[]"), ".", "/"), loader)
}
