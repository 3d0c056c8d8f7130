package cli

import (
	"errors"
	"fmt"
	"slices"

	"mallard/internal/export"
	"mallard/internal/heap"
	"mallard/internal/heapgraph"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// heapRecording is a recording with what became of the heap.
type heapRecording struct {
	*recording
	history *heap.History
	events  []*trace.Events
}

// openHeap reads a recording.
func (p *program) openHeap(name string) (*heapRecording, error) {
	events := profile.Events{heap.Observer: nil}
	r, err := p.open(name, events)
	if err != nil {
		return nil, err
	}
	if r.profile.Process == nil || !slices.Contains(r.profile.Process.Track, heap.Observer) {
		return nil, fmt.Errorf(`%s was recorded without objects; "mallard run --track objects" records it`, name)
	}
	return &heapRecording{r, heap.NewHistory(events[heap.Observer]), events[heap.Observer]}, nil
}

// needsSites is for questions that take counts of sites. They are there as well where objects know their sites.
func (r *heapRecording) needsSites() error {
	track := r.profile.Process.Track
	if !r.history.IsTagged() && !slices.Contains(track, "sites") && !slices.Contains(track, "contexts") {
		return fmt.Errorf(`%s was recorded without sites; "mallard run --track sites,objects" records them`, r.name)
	}
	return nil
}

// tellApart has sites told apart, or contexts.
func (r *heapRecording) tellApart(contexts bool) error {
	switch {
	case !contexts:
		r.history = r.history.BySites(r.profile.Tagged)
	case !r.profile.Tracked || !r.history.IsTagged():
		return fmt.Errorf(`%s was recorded without contexts of objects; "mallard run --track contexts,objects" `+
			`records them`, r.name)
	default:
		r.history = r.history.ByContexts(r.profile.Tagged)
	}
	return nil
}

// reached follows the references of a recording. Each of its two steps is said to be done.
func (r *heapRecording) reached(step func()) (*heapgraph.Reached, error) {
	g, err := heapgraph.New(r.events, r.history)
	step()
	if errors.Is(err, heapgraph.ErrNone) {
		return nil, errors.New(`no references are recorded; "mallard run --track objects --references end" ` +
			`records them`)
	}
	if err != nil {
		return nil, err
	}
	defer step()
	return g.Reach(), nil
}

// holder says what holds most of what grows; "" if that is not recorded.
func (r *heapRecording) holder(growing *heap.Growing) string {
	if growing == nil {
		return ""
	}
	reached, err := r.reached(func() {})
	if err != nil {
		return ""
	}
	paths, _ := reached.Paths(heap.Query{Class: growing.Name, Sort: profile.SortBytes, Top: 1})
	if len(paths) == 0 {
		return ""
	}
	return paths[0].Way.String()
}

// held answers what was in the heap.
func (r *heapRecording) held(at moment, q heap.Query) (*export.HeapReport, error) {
	i, err := at.in(r.history, r.profile.Duration)
	if err != nil {
		return nil, err
	}
	var growing *heap.Growing
	if i == len(r.history.Pauses)-1 {
		growing = r.growing(q)
	}
	return export.NewHeldReport(r.name, r.profile, r.history, r.history.Held(i, q), growing, r.holder(growing)), nil
}

// growing says what grows, and which site makes it, as far as objects know that.
func (r *heapRecording) growing(q heap.Query) *heap.Growing {
	if r.history.IsTagged() {
		if g := r.history.BySites(r.profile.Tagged).Growing(q); g != nil {
			return g
		}
	}
	return r.history.Growing(q)
}

// diff answers what has changed.
func (r *heapRecording) diff(between moments, q heap.Query) (*export.HeapReport, error) {
	from, to, err := between.in(r.history, r.profile.Duration)
	if err != nil {
		return nil, err
	}
	return export.NewDiffReport(r.name, r.profile, r.history, r.history.Diff(from, to, q)), nil
}
