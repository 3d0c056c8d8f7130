package heap

import (
	"slices"

	"mallard/internal/profile"
)

// Apart is the same history told apart as rows are to be, given what each tag stands for: by sites, contexts or threads
// that have made objects, where these know it. Where rows are of no class by itself, one stands for all of a loader, of
// a thread, or both: for those of them whose names match the pattern, which a query has as well.
func (h *History) Apart(by []By, pattern string, tagged Tagged) *History {
	has := func(b By) bool { return slices.Contains(by, b) }
	if !has(BySite) && !has(ByContext) && !has(ByThread) {
		tagged = nil
	} else {
		tagged = only(tagged, has(BySite) || has(ByContext), has(ByContext), has(ByThread))
	}
	parts := newHistory(h.events, h.classes.anew(tagged, apart), h.start)
	if !AreWhole(by) {
		return parts
	}
	c := h.classes.anew(tagged, neither)
	if has(ByLoader) {
		c.byLoader = alone
	}
	c.pattern = pattern
	whole := newHistory(h.events, c, h.start)
	whole.parts = parts
	return whole
}

// only has no more told apart than is wanted.
func only(tagged Tagged, site, context, thread bool) Tagged {
	return func(tag uint32) profile.Made {
		made := tagged(tag)
		if !site {
			made.Site, made.Numberless = nil, false
		}
		if !context {
			made.Context = profile.NoContext
		}
		if !thread {
			made.Thread = ""
		}
		return made
	}
}

// BySites tells the history apart by sites.
func (h *History) BySites(tagged Tagged) *History { return h.Apart([]By{BySite}, "", tagged) }

// ByContexts is BySites with the contexts in which the sites have made objects, where these were recorded.
func (h *History) ByContexts(tagged Tagged) *History { return h.Apart([]By{ByContext}, "", tagged) }

// ByLoaders has a class for each loader.
func (h *History) ByLoaders(pattern string) *History { return h.Apart([]By{ByLoader}, pattern, nil) }

// wholes gives the history that tells classes apart, and of each of them the class here that it is a part of: what is
// known of a class by itself is more than what is known of several together.
func (h *History) wholes() (of *History, whole func(Class) Class) {
	if h.parts == nil {
		return h, func(c Class) Class { return c }
	}
	return h.parts, func(c Class) Class {
		if c == Other || c == Unused {
			return c
		}
		m := h.classes.whole(h.parts.Name(c), h.parts.Loader(c))
		m.Made = h.parts.classes.made[c]
		return h.classes.known[m]
	}
}
