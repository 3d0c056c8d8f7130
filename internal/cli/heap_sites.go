package cli

import (
	"slices"
	"strings"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// ofSite is in front of the value of --paths where that is a site.
const ofSite = "site:"

// pathsOf has a query be about classes that match a pattern, or about what sites have made.
func pathsOf(q *heap.Query, pattern string) {
	site, is := strings.CutPrefix(pattern, ofSite)
	if !is {
		q.Class = pattern
		return
	}
	q.Site = site
	if !slices.Contains(q.By, heap.BySite) && !slices.Contains(q.By, heap.ByContext) {
		q.By = append(slices.Clip(q.By), heap.BySite)
	}
}

// checkSite refuses a pattern that no site matches.
func (r *heapRecording) checkSite(pattern string) error {
	matches := func(s profile.Site) bool { return profile.MatchSite(pattern, &s) }
	if pattern == "" || slices.ContainsFunc(r.profile.Sites, matches) {
		return nil
	}
	methods := func(yield func(string) bool) {
		for _, s := range r.profile.Sites {
			if !yield(s.Class + "." + s.Method) {
				return
			}
		}
	}
	return noMatch(pathsFlag, ofSite+pattern, profile.Nearest(pattern, methods))
}
