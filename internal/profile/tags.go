package profile

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"mallard/internal/abi"
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// tagRange is the numbers of the counters that a class version has. Of these as many as it has sites are tags of the
// objects that they make, from the first one on.
type tagRange struct {
	first, numbers, sites uint32
	site                  trace.SiteID // of the first
}

// tagRanges are in the order of definition, then of tags.
type tagRanges []tagRange

func (r *tagRanges) define(class *trace.ClassDef) {
	sites := 0
	for i := range class.Methods {
		sites += len(class.Methods[i].Sites)
	}
	if class.Counters > 0 {
		*r = append(*r, tagRange{uint32(class.CounterBase), class.Counters, uint32(sites), class.SiteBase})
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

// mostNumbers bounds the work of finding turns: those of classes that come later are not known.
const mostNumbers = 1 << 28

// turns are the ranges by how many had a number before, each list in the order of numbers: parts of ranges, where these
// had not as many throughout.
func (r tagRanges) turns() (turns []tagRanges) {
	byTags := func(a, b tagRange) int { return cmp.Compare(a.first, b.first) }
	sorted := slices.SortedStableFunc(slices.Values(r), byTags)
	isFirst := true
	for i := 1; i < len(sorted); i++ {
		isFirst = isFirst && sorted[i].first-sorted[i-1].first >= sorted[i-1].numbers
	}
	if isFirst {
		return []tagRanges{sorted}
	}
	had, numbers := make([]uint8, abi.TagNone), uint64(0) // how many, by number
	for _, of := range r {
		of.numbers = min(of.numbers, abi.TagNone-min(of.first, abi.TagNone))
		if numbers += uint64(of.numbers); numbers > mostNumbers {
			break
		}
		for of.numbers > 0 {
			turn, n := int(had[of.first]), uint32(0)
			if turn == abi.LastTagTurn {
				break
			}
			for ; n < of.numbers && int(had[of.first+n]) == turn; n++ {
				had[of.first+n]++
			}
			if turn == len(turns) {
				turns = append(turns, nil)
			}
			turns[turn] = append(turns[turn], tagRange{of.first, n, min(n, of.sites), of.site})
			of = tagRange{of.first + n, of.numbers - n, of.sites - min(n, of.sites), of.site + trace.SiteID(n)}
		}
	}
	for _, of := range turns {
		slices.SortFunc(of, byTags)
	}
	return turns
}

// siteOf is the site of a tag; false where the list has none.
func (r tagRanges) siteOf(tag uint32) (site trace.SiteID, known bool) {
	i := sort.Search(len(r), func(i int) bool { return r[i].first > tag }) - 1
	if i < 0 || tag-r[i].first >= r[i].sites {
		return 0, false
	}
	return r[i].site + trace.SiteID(tag-r[i].first), true
}

// sitesIn gives what tags stand for: in contexts, whose context is that of their node, renumbered, or else the sites of
// class versions. The function is one goroutine's.
func (r tagRanges) sitesIn(table *symbols.Table, inContexts []contextTag, context func(node int32) int32,
	threads tagThreads) func(tag uint32) Made {
	turns := r.turns()
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
			return Made{Site: site(inContexts[i].site), Context: context(inContexts[i].node),
				Thread: threads.title(inContexts[i].thread)}
		}
		turn := tag >> abi.TagTurnShift
		if turn >= uint32(len(turns)) {
			return Made{}
		}
		id, known := turns[turn].siteOf(tag & abi.TagOthers)
		index, named := table.Site(id)
		if !known || !named {
			return Made{}
		}
		return Made{Site: site(index), Context: NoContext, Thread: threads.ofSite[index]}
	}
}

// tagThreads says which threads make tagged objects.
type tagThreads struct {
	titles map[trace.ThreadID]string // of those that are kept apart
	ofSite map[int32]string          // by index in the table: of those that have counted there, all of one title
}

// title is "" for a thread of which no record is known.
func (t tagThreads) title(id trace.ThreadID) string { return t.titles[id] }

// Tagged gives what has made objects with a tag, in its turn, the same site each time. Objects may be of another type
// than the site's: of what calls make the code does not always tell. One goroutine at a time may ask.
func (p *Profile) Tagged(tag uint32) Made {
	if p.tagged == nil {
		return Made{Context: NoContext}
	}
	if tag&abi.TagOthers == abi.TagOthers {
		return Made{Context: NoContext, Numberless: true}
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
