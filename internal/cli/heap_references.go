package cli

import (
	"errors"
	"fmt"

	"mallard/internal/export"
	"mallard/internal/heap"
	"mallard/internal/heapgraph"
)

// reached follows the references of a recording.
func (r *heapRecording) reached() (*heapgraph.Reached, error) {
	g, err := heapgraph.New(r.events, r.history)
	if errors.Is(err, heapgraph.ErrNone) {
		return nil, fmt.Errorf(`no references are recorded; "mallard run --track objects --references end" records them`)
	}
	if err != nil {
		return nil, err
	}
	return g.Reach(), nil
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
