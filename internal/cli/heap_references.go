package cli

import (
	"errors"

	"mallard/internal/export"
	"mallard/internal/heap"
	"mallard/internal/heapgraph"
	"mallard/internal/profile"
)

// reached follows the references of a recording.
func (r *heapRecording) reached() (*heapgraph.Reached, error) {
	g, err := heapgraph.New(r.events, r.history)
	if errors.Is(err, heapgraph.ErrNone) {
		return nil, errors.New(`no references are recorded; "mallard run --track objects --references end" records them`)
	}
	if err != nil {
		return nil, err
	}
	return g.Reach(), nil
}

// holder says what holds most of what grows; "" if that is not recorded.
func (r *heapRecording) holder(growing *heap.Growing) string {
	if growing == nil {
		return ""
	}
	reached, err := r.reached()
	if err != nil {
		return ""
	}
	paths, _ := reached.Paths(heap.Query{Class: r.history.Name(growing.Class), Sort: profile.SortBytes, Top: 1})
	if len(paths) == 0 {
		return ""
	}
	return paths[0].Way.String()
}

func heapRetained(_ *program, r *heapRecording, q heap.Query) (*export.HeapReport, error) {
	reached, err := r.reached()
	if err != nil {
		return nil, err
	}
	return export.NewRetainedReport(r.name, r.profile, r.history, heapgraph.NewDominators(reached), q), nil
}

func heapDominators(_ *program, r *heapRecording, q heap.Query) (*export.HeapReport, error) {
	reached, err := r.reached()
	if err != nil {
		return nil, err
	}
	return export.NewDominatorsReport(r.name, r.profile, r.history, heapgraph.NewDominators(reached), q), nil
}

func heapPaths(_ *program, r *heapRecording, q heap.Query) (*export.HeapReport, error) {
	reached, err := r.reached()
	if err != nil {
		return nil, err
	}
	return export.NewPathsReport(r.name, r.profile, r.history, reached, q), nil
}
