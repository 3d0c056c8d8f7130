package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"mallard/internal/export"
	"mallard/internal/heap"
	"mallard/internal/heapgraph"
	"mallard/internal/observe/collections"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// heapRecording is a recording with what became of the heap.
type heapRecording struct {
	*recording
	plain   *heap.History // where neither sites nor loaders are told apart, but classes
	history *heap.History
	events  []*trace.Events
	causes  heap.Causes

	part      bool // of the recording, from a keyframe on
	uncounted bool // what sites have counted was not read
}

// openHeap reads a recording, with the last references in it.
func (p *program) openHeap(name string) (*heapRecording, error) {
	return p.openHeapWith(name, false)
}

// openHeapWith reads a recording, maybe with the references of all moments.
func (p *program) openHeapWith(name string, allReferences bool) (*heapRecording, error) {
	reading, pauses := heap.NewReading(false), profile.Events{collections.Name: nil}
	reading.AllReferences = allReferences
	r, err := p.open(name, reading, pauses)
	if err != nil {
		return nil, err
	}
	return newHeapRecording(r, reading, pauses)
}

// newHeapRecording is of a recording of which the events of the heap, and of collections, were read.
func newHeapRecording(r *recording, reading *heap.Reading, pauses profile.Events) (*heapRecording, error) {
	if !tracksObjects(r.profile) {
		return nil, withoutObjects(r.name)
	}
	history := reading.History()
	if err := refusedObjects(r, history); err != nil {
		return nil, err
	}
	history.NameLoaders(loadersOf(r.profile))
	return &heapRecording{recording: r, plain: history, history: history, events: reading.Events,
		causes: collections.Causes(r.profile.Process, pauses[collections.Name])}, nil
}

// tracksObjects reports whether a recording has what became of the heap.
func tracksObjects(p *profile.Profile) bool {
	return p.Process != nil && slices.Contains(p.Process.Track, heap.Observer)
}

// withoutObjects is the error for a recording that does not.
func withoutObjects(name string) error {
	return fmt.Errorf(`%s was recorded without objects; "mallard run --track objects" records it`, name)
}

// refusedObjects is the error for a recording of a JVM whose heap could not be read: why, in the recording's words.
func refusedObjects(r *recording, history *heap.History) error {
	of := func(l trace.Loss) bool { return l.Kind == heap.Observer }
	if i := slices.IndexFunc(r.profile.Losses, of); i >= 0 && len(history.Pauses) == 0 {
		return fmt.Errorf("%s has no objects: %s", r.name, r.profile.Losses[i].Detail)
	}
	return nil
}

// loadersOf names class loaders in a recording's words.
func loadersOf(p *profile.Profile) heap.LoaderTitle {
	return func(class string, loader heap.Loader) (string, bool) { return p.Loader(class, trace.LoaderID(loader)) }
}

// needsSites is for questions that take counts of sites. They are there as well where objects know their sites.
func (r *heapRecording) needsSites() error {
	track := r.profile.Process.Track
	if !r.history.IsTagged() && !slices.Contains(track, "sites") && !slices.Contains(track, "contexts") {
		return fmt.Errorf(`%s was recorded without sites; "mallard run --track sites,objects" records them`, r.name)
	}
	return nil
}

// checkClass refuses a pattern, a flag's value, that no class matches of those in the heap or at sites.
func (r *heapRecording) checkClass(flag, pattern string) error {
	if pattern == "" {
		return nil
	}
	names := func(yield func(string) bool) {
		for name := range r.plain.Names {
			if !yield(name) {
				return
			}
		}
		for i := range r.profile.Sites {
			if !yield(r.profile.Sites[i].Type) {
				return
			}
		}
	}
	for name := range names {
		if profile.MatchName(pattern, name) {
			return nil
		}
	}
	return noMatch(flag, pattern, profile.Nearest(pattern, names))
}

// reached follows the last references that are recorded by a moment, whose classes are those of a history. Each of its
// two steps is said to be done.
func (r *heapRecording) reached(of *heap.History, until time.Duration, step func()) (*heapgraph.Reached, error) {
	g, err := heapgraph.New(r.events, of, until)
	step()
	if errors.Is(err, heapgraph.ErrNone) {
		return nil, errors.New(`no references are recorded; "mallard run --track objects --references end" ` +
			`records those of its end, and --references 10m those of every ten minutes`)
	}
	if err != nil {
		return nil, err
	}
	defer step()
	return g.Reach(), nil
}

// holders say what holds most objects that are alive at a moment of each class that grows, where that is sure, "" where
// it is not; nil if that is not recorded, or nothing grows.
func (r *heapRecording) holders(at int, growing []heap.Growing) (list []string) {
	if len(growing) == 0 {
		return nil
	}
	reached, err := r.reached(r.plain.ByNames(), referencesBy(r.plain, at), func() {})
	if err != nil {
		return nil
	}
	for _, g := range growing {
		q := heap.Query{Class: g.Name, By: []heap.By{heap.ByClass}}
		held := r.plain.Held(at, q).Selected.Objects
		paths, _ := reached.Paths(q)
		list = append(list, holder(paths, g.Held.Objects, max(0, held-g.Held.Objects)))
	}
	return list
}

// holder is the way to most of a site's objects, given those to all of the class, and how many objects others have
// made. References do not know sites: so many on a way are sure to be the site's as there are more than others. Classes
// of one name have ways that look the same.
func holder(paths []heapgraph.PathRow, objects, others int64) string {
	alive, on := int64(0), map[string]int64{}
	for _, p := range paths {
		alive += p.Objects
		on[p.Way.String()] += p.Objects
	}
	for way, n := range on {
		if n-others > min(objects, alive)/2 {
			return way
		}
	}
	return ""
}

// beginSingles is called before the only question about single objects.
func (r *heapRecording) beginSingles() {
	if !r.history.HasSingles() {
		return
	}
	r.history.SinglesOnce()
	debug.FreeOSMemory() // what reading has left
	collectAt(followingGarbage)
}

// held answers what was in the heap, and what was sure by then.
func (r *heapRecording) held(at moment, q heap.Query) (*export.HeapReport, error) {
	i, err := at.in(r.history, clockOf(r.profile))
	if err != nil {
		return nil, err
	}
	if r.part {
		return export.NewHeldReport(r.name, r.profile, r.history, r.history.Held(i, q), nil, nil), nil
	}
	verdicts := r.verdicts(i, q)
	return export.NewHeldReport(r.name, r.profile, r.history, r.history.Held(i, q), verdicts,
		r.holders(i, verdicts.Growing)), nil
}

// verdicts says what is sure, and which sites that is about, as far as objects know that. What no one site makes grow
// may grow by many.
func (r *heapRecording) verdicts(at int, q heap.Query) *heap.Verdicts {
	if !r.plain.IsTagged() {
		return r.plain.Verdicts(at, q, r.causes)
	}
	v := r.plain.BySites(r.profile.Tagged).Verdicts(at, q, r.causes)
	if v.Growing == nil {
		v.Growing = r.plain.Growing(at, q)
	}
	return v
}

// diff answers what has changed.
func (r *heapRecording) diff(between moments, q heap.Query) (*export.HeapReport, error) {
	from, to, err := between.in(r.history, clockOf(r.profile))
	if err != nil {
		return nil, err
	}
	r.beginSingles()
	return export.NewDiffReport(r.name, r.profile, r.history, r.history.DiffSingly(from, to, q)), nil
}
