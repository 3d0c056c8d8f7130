package cli

import (
	"fmt"
	"slices"

	"mallard/internal/heap"
)

// tellApart has told apart what a query asks for: sites, contexts, loaders.
func (r *heapRecording) tellApart(q *heap.Query, question *heapQuestion) error {
	byLoader, bySite := slices.Contains(q.By, heap.ByLoader), slices.Contains(q.By, heap.BySite)
	byContext := slices.Contains(q.By, heap.ByContext)
	switch {
	case byLoader && !r.plain.HasLoaders():
		return fmt.Errorf("%s does not say which class loaders classes are of", r.name)
	case bySite || byContext:
		if err := r.tellSites(byContext); err != nil {
			return err
		}
	case !heap.OfLoaders(q.By):
	case question == nil || question.rows != referenceRows:
		r.history = r.plain.ByLoaders(q.Class)
	case question.flag != retainedFlag: // a row is an object, or a path
		q.By = append(slices.Clip(q.By), heap.ByClass)
	case q.Class != "":
		return usagef("--class does not go with --%s --by loader, whose rows are loaders", retainedFlag)
	}
	if question != nil && question.names && !byLoader {
		r.history = r.history.ByNames()
	}
	if bySite || byContext {
		q.Counts = heap.NewCounts(r.history, r.profile)
	}
	return nil
}
