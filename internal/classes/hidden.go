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
	r, v, err := t.countHidden(class)
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
	t.record(loader, v, r, uint32(len(class)), micros)
	return Answer{Bytes: r.Bytes, After: func() {}}
}

// countHidden makes a hidden class count. The version is nil where it stays as it is.
func (t *Table) countHidden(class []byte) (*instrument.Result, *Version, error) {
	r, err := t.rewrite(class, instrument.Options{Placement: placement.Site})
	if err != nil || r.Bytes == nil {
		return nil, nil, err
	}
	if !t.countBelow(&t.hidden, maxHidden) {
		return nil, nil, fmt.Errorf("hidden classes after the first %d have no counters", maxHidden)
	}
	numbers, err := t.take(r)
	if err != nil {
		return nil, nil, err
	}
	r.Patch(uint32(numbers.First))
	return r, &Version{counters: numbers}, nil
}
