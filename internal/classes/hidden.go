package classes

import (
	"fmt"
	"strings"
	"time"

	"mallard/internal/instrument"
	"mallard/internal/placement"
	"mallard/internal/trace"
)

// maxHidden bounds the hidden classes that get counters: nobody says when the JVM unloads one whose loader lives on.
const maxHidden = 1 << 14

// LoadHidden makes a class count that is being hidden, at a location. It gets a counter for each site: those need no
// corrections, and φ is zero in live frames, whose methods no later message could tell apart.
func (t *Table) LoadHidden(loader trace.LoaderID, at Location, class []byte) Answer {
	started := time.Now()
	r, v, err := t.countHidden(loader, class)
	micros := uint32(time.Since(started).Microseconds())
	if err != nil {
		t.out.Loss("hidden", err.Error())
	}
	if v == nil {
		return unchanged
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if strings.Contains(r.Name, "$$Lambda") { // LambdaMetafactory's name for them
		if location, ok := t.find(at); ok {
			r.AttributeTo(location)
		}
	}
	if metadata, err := r.Metadata(); err == nil {
		v.metadata = &stored{bytes: metadata}
		t.owners.add(loader, v)
	}
	if t.options.Contexts != nil {
		t.options.Contexts.DefineHidden(v, r)
	}
	t.record(loader, v, r, uint32(len(class)), micros)
	loaded := t.loaded[loader]
	loaded[len(loaded)-1].hidden = v
	return Answer{Bytes: r.Bytes, After: func() {}}
}

// countHidden makes a hidden class count. The version is nil where it stays as it is.
func (t *Table) countHidden(loader trace.LoaderID, class []byte) (*instrument.Result, *Version, error) {
	var all instrument.Options
	if t.options.Code != nil {
		t.options.Code(loader, &all)
	}
	r, err := t.rewrite(class, instrument.Options{Placement: placement.Site, Hidden: true, Contexts: all.Contexts,
		Huge: all.Huge, Tags: all.Tags})
	if err != nil || r.Bytes == nil {
		return nil, nil, err
	}
	if !t.countBelow(&t.hidden, maxHidden) {
		return nil, nil, fmt.Errorf("hidden classes after the first %d have no counters", maxHidden)
	}
	v := &Version{}
	if err := t.number(v, r, t.contextsOf(r)); err != nil {
		return nil, nil, err
	}
	return r, v, nil
}
