package cli

import (
	"time"

	"mallard/internal/export"
	"mallard/internal/heap"
	"mallard/internal/heapgraph"
)

// following is what a user sees while it is done.
const following = "following references"

// dominators finds them.
func (p *program) dominators(r *heapRecording, until time.Duration) (*heapgraph.Dominators, error) {
	step, end := p.steps(r.events, 4, following)
	defer end()
	reached, err := r.reached(r.history, until, step)
	if err != nil {
		return nil, err
	}
	return heapgraph.NewDominators(reached), nil
}

func heapRetained(p *program, r *heapRecording, until time.Duration, q heap.Query) (*export.HeapReport, error) {
	d, err := p.dominators(r, until)
	if err != nil {
		return nil, err
	}
	if heap.AreWhole(q.By) {
		return export.NewLoadersReport(r.name, r.profile, r.history, d, q), nil
	}
	return export.NewRetainedReport(r.name, r.profile, r.history, d, q), nil
}

func heapDominators(p *program, r *heapRecording, until time.Duration, q heap.Query) (*export.HeapReport, error) {
	d, err := p.dominators(r, until)
	if err != nil {
		return nil, err
	}
	return export.NewDominatorsReport(r.name, r.profile, r.history, d, q), nil
}

func heapPaths(p *program, r *heapRecording, until time.Duration, q heap.Query) (*export.HeapReport, error) {
	step, end := p.steps(r.events, 2, following)
	defer end()
	reached, err := r.reached(r.history, until, step)
	if err != nil {
		return nil, err
	}
	return export.NewPathsReport(r.name, r.profile, r.history, reached, q), nil
}
