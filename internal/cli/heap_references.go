package cli

import (
	"mallard/internal/export"
	"mallard/internal/heap"
	"mallard/internal/heapgraph"
)

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
