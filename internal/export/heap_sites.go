package export

import (
	"fmt"

	"mallard/internal/heap"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// siteColumns say what has made a class's objects, with its callers or without: in text in words, in JSON and CSV as
// reports do.
func siteColumns[Row any](counts *heap.Counts, inContext bool, class func(Row) heap.Class) []heapColumn[Row] {
	site := func(r Row) *profile.Site { return counts.Site(class(r)) }
	title := "Site"
	if inContext {
		title = "Stack"
	}
	columns := []heapColumn[Row]{
		{"site", title, profile.Text, func(r Row) any { return madeBy(counts, class(r)) }, inText},
		siteColumn(site),
	}
	columns = append(columns, sitePartColumns(site)...)
	columns = append(columns, heapColumn[Row]{"other_sites", "", profile.Text,
		func(r Row) any { return counts.IsNumberless(class(r)) }, inJSON})
	if inContext {
		columns = append(columns, stackColumns(counts, class)...)
	}
	return append(columns, heapColumn[Row]{"sites", "", profile.Number, func(r Row) any {
		if c := counts.Of(class(r)); c != nil {
			return int64(c.Sites)
		}
		return nil
	}, inJSON | inCSV})
}

// siteColumn says in JSON what a site is.
func siteColumn[Row any](site func(Row) *profile.Site) heapColumn[Row] {
	return heapColumn[Row]{"site", "", profile.Text, func(r Row) any {
		if site := site(r); site != nil {
			return newJSONSite(site)
		}
		return nil
	}, inJSON}
}

// sitePartColumns say in CSV what a site is.
func sitePartColumns[Row any](site func(Row) *profile.Site) (columns []heapColumn[Row]) {
	part := func(name string, unit profile.Unit, value func(*profile.Site) any) {
		columns = append(columns, heapColumn[Row]{"site." + name, "", unit, func(r Row) any {
			if site := site(r); site != nil {
				return value(site)
			}
			return nil
		}, inCSV})
	}
	part("class", profile.Text, func(s *profile.Site) any { return s.Class })
	part("method", profile.Text, func(s *profile.Site) any { return s.Method })
	part("descriptor", profile.Text, func(s *profile.Site) any { return s.Descriptor })
	part("line", profile.Number, func(s *profile.Site) any { return int64(s.Line) })
	part("bci", profile.Number, func(s *profile.Site) any { return int64(s.BCI) })
	return columns
}

// stackColumns say in which stack it was, innermost first.
func stackColumns[Row any](counts *heap.Counts, class func(Row) heap.Class) []heapColumn[Row] {
	column := func(form heapForm, value func([]symbols.Frame) any) heapColumn[Row] {
		return heapColumn[Row]{"stack", "", profile.Text, func(r Row) any {
			if stack := counts.Stack(class(r)); stack != nil {
				return value(stack)
			}
			return nil
		}, form}
	}
	return []heapColumn[Row]{
		column(inJSON, func(s []symbols.Frame) any { return jsonStack(s) }),
		column(inCSV, func(s []symbols.Frame) any { return stackLines(s) }),
	}
}

// madeBy says in words what has made a class's objects.
func madeBy(counts *heap.Counts, class heap.Class) any {
	c := counts.Of(class)
	stack := counts.Stack(class)
	switch site := counts.Site(class); {
	case stack != nil:
		return compactStack(stack)
	case site != nil:
		return stackLine(site, false) + inLoader(site.Loader)
	case counts.IsNumberless(class):
		return "(other sites)"
	case class > heap.Unused && counts.AreTags():
		return "(unknown)"
	case c == nil:
		return nil
	case c.Sites == 0:
		return "(not counted)"
	case c.Sites == 1:
		return "(1 site, and what is not counted)"
	}
	return fmt.Sprintf("(one of %s)", counted(int64(c.Sites), "site"))
}

// addDeaths says of how much of what died, by or between moments, the site is known.
func (r *HeapReport) addDeaths(d *heap.Deaths, when string) {
	if d == nil {
		return
	}
	r.head.Died, r.head.DiedSited = newJSONHeapSum(d.All), newJSONHeapSum(d.Sited)
	if d.All.Objects > 0 {
		r.facts.add("At death", fmt.Sprintf("the site is known of %s %% of the %s that died %s, and of %s %% of the %s",
			finePercent(d.Sited.Objects, d.All.Objects), counted(d.All.Objects, "object"), when,
			finePercent(d.Sited.Bytes, d.All.Bytes), exactBytes(d.All.Bytes)))
	}
}

// addSited says how many bytes have a site, where that was asked for.
func (r *HeapReport) addSited(s heap.Sited) {
	if r.query.Counts == nil {
		return
	}
	r.head.Sited = &s.Known
	if s.All > 0 {
		r.facts.add("Sites", fmt.Sprintf("known of %s %% of the bytes", percent(s.Known, s.All)))
	}
}
