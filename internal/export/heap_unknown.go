package export

import (
	"fmt"
	"slices"
	"strings"

	"mallard/internal/heap"
	"mallard/internal/heap/single"
)

// unknown is where the JSON form says what is not known of single objects.
func (r *HeapReport) unknown() *jsonUnknown {
	if r.head.Unknown == nil {
		r.head.Unknown = &jsonUnknown{}
	}
	return r.head.Unknown
}

// addUnknown says in one line what is not known of how many; "": nothing of it.
func (r *HeapReport) addUnknown(what ...string) {
	if text := joinUnknown(what); text != "" {
		r.facts.add("Unknown", text)
	} else {
		r.head.Unknown = nil
	}
}

func joinUnknown(what []string) string {
	return strings.Join(slices.DeleteFunc(what, func(w string) bool { return w == "" }), "; ")
}

// addUnknownAges says of how many single objects it is not known how long they lived, and what that does to figures, as
// a format, where many are dead.
func (r *HeapReport) addUnknownAges(u heap.Unknown, g *single.Gaps, wrong string) {
	r.unknown().Births, r.unknown().Ends = u.Births, u.Ends
	r.addUnknown(unknownAges(u, g, wrong)...)
	r.addGaps(g)
}

// unknownAges are its parts, as addUnknown takes them.
func unknownAges(u heap.Unknown, g *single.Gaps, wrong string) []string {
	ends := "the end of %s"
	if g.LeftOut > 0 {
		ends += ", many of them dead: " + wrong
	}
	return []string{ofObjects("the birth of %s, which are left out", u.Births), ofObjects(ends, u.Ends)}
}

// ofObjects says of how many something is not known; "" where there are none.
func ofObjects(what string, n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(what, counted(n, "object"))
}

// times says how often something is not known; "" where it always is.
func times(what string, n int64) string {
	if n == 0 {
		return ""
	}
	return what + ", " + counted(n, "time")
}

// addGaps says what reading single objects has found to be lost.
func (r *HeapReport) addGaps(g *single.Gaps) {
	losses := gapLosses(g)
	r.losses = append(r.losses, losses...)
	r.head.Losses = append(r.head.Losses, losses...)
}

func gapLosses(g *single.Gaps) []jsonLoss {
	return slices.DeleteFunc([]jsonLoss{
		{Kind: heap.Observer, Count: uint64(g.Shared),
			Detail: "single objects have the hash of another one: none of them is known any more"},
		{Kind: heap.Observer, Count: uint64(g.Failed),
			Detail: "single objects have lost their identity in collections that had no room for all that lives"},
		{Kind: heap.Observer, Count: uint64(g.Again),
			Detail: "single objects have the number of another one, since numbers were given again: none of them is " +
				"known any more"},
	}, func(loss jsonLoss) bool { return loss.Count == 0 })
}

// addBounds says how far an answer about what was promoted may be off, and why.
func (r *HeapReport) addBounds(answer *heap.Premature) {
	if answer.Found.Objects == 0 && answer.Perhaps.Objects == 0 && answer.Gaps.LeftOut == 0 {
		return
	}
	found := "whether " + heapAmount(answer.Found) + " in the old generation were promoted"
	if answer.Gaps.LeftOut > 0 {
		r.unknown().Promoted = newJSONHeapSum(answer.Found)
		r.addUnknown(found, "what walks have left out: all these are lower bounds, and there are no upper ones")
		return
	}
	r.unknown().Promoted, r.unknown().Premature = newJSONHeapSum(answer.Found), newJSONHeapSum(answer.Perhaps)
	r.addUnknown(found, "whether "+heapAmount(answer.Perhaps)+" were premature besides, as they had no number "+
		"of their own: these are lower bounds")
}
