package cli

import (
	"fmt"
	"slices"

	"mallard/internal/heap"
)

// tellApart has told apart what a query asks for: sites, contexts, loaders, threads.
func (r *heapRecording) tellApart(q *heap.Query, question *heapQuestion) error {
	has := func(b heap.By) bool { return slices.Contains(q.By, b) }
	bySite := has(heap.BySite) || has(heap.ByContext)
	if err := r.needsParts(q.By); err != nil {
		return err
	}
	isReference := question != nil && question.rows == referenceRows
	switch {
	case !isReference || !heap.AreWhole(q.By):
	case question.flag != retainedFlag || has(heap.ByThread): // rows are of objects that refer to each other
		q.By = append(slices.Clip(q.By), heap.ByClass)
	case q.Class != "":
		return usagef("--class cannot be combined with --%s --by loader, whose rows are loaders", retainedFlag)
	}
	if bySite || has(heap.ByThread) || heap.AreWhole(q.By) && !isReference {
		r.history = r.plain.Apart(q.By, q.Class, r.profile.Tagged)
	}
	if question != nil && question.names && !has(heap.ByLoader) {
		r.history = r.history.ByNames()
	}
	switch {
	case bySite && r.uncounted:
		q.Counts = heap.NewTags(r.history, r.profile)
	case bySite:
		q.Counts = heap.NewCounts(r.history, r.profile)
	}
	return nil
}

// needsParts refuses what is to be told apart and was not recorded.
func (r *heapRecording) needsParts(by []heap.By) error {
	for _, b := range by {
		switch {
		case b == heap.ByLoader && !r.plain.HasLoaders():
			return fmt.Errorf("%s does not say which class loaders classes are of", r.name)
		case b == heap.ByThread && !r.plain.IsTagged():
			return fmt.Errorf(`%s does not say which threads have made objects; "mallard run --track `+
				`contexts,objects" records them`, r.name)
		case b == heap.BySite || b == heap.ByContext:
			if err := r.needsSites(); err != nil {
				return err
			}
		}
		if b == heap.ByContext && (!r.profile.Tracked || !r.plain.IsTagged()) {
			return fmt.Errorf(`%s was recorded without contexts of objects; "mallard run --track contexts,objects" `+
				`records them`, r.name)
		}
	}
	return nil
}
