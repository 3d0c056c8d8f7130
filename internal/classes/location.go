package classes

import (
	"fmt"
	"strings"

	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// maxLocations bounds the locations at which the JVM makes objects that get counters; they keep them as long as their
// loader lives.
const maxLocations = 1 << 16

// Location is an instruction of a running method, as the agent sees it.
type Location struct {
	Key                     Key
	instrument.CodeLocation        // BCI is in the code that runs
	Code                    []byte // of the method
}

// find gives the location in the class file as it was; false if it is not known.
func (t *Table) find(at Location) (instrument.CodeLocation, bool) {
	location, counts := at.CodeLocation, false
	if at.Key.Name == "" || location.BCI < 0 {
		return location, false
	}
	// the JVM has put an address behind the name in the class file
	if name, _, hidden := strings.Cut(location.Class, "."); hidden {
		location.Class, location.BCI = name, -1
		return location, true
	}
	if c := t.classes[at.Key]; c != nil {
		for _, v := range c.versions {
			m, err := v.method(location.Method + location.Descriptor)
			if err != nil {
				return location, false
			}
			if m != nil && m.Has(at.Code) {
				location.BCI = m.BCIAt(location.BCI)
				return location, true
			}
			counts = counts || m != nil
		}
	}
	return location, !counts
}

// ImplicitSites records sites for objects of some types that the JVM makes at a location by itself, and gives the first
// of their counters. It is false where there are none.
func (t *Table) ImplicitSites(at Location, types []string) (first trace.CounterID, ok bool) {
	r, numbers, err := t.implicitSites(at, types)
	if err != nil {
		t.out.Loss("locations", err.Error())
		return 0, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.record(at.Key.Loader, &Version{counters: numbers}, r, 0, 0)
	return numbers.First, true
}

func (t *Table) implicitSites(at Location, types []string) (*instrument.Result, counters.Range, error) {
	r := t.original(at).Allocates(types...)
	if !t.countBelow(&t.locations, maxLocations) {
		return nil, counters.Range{}, fmt.Errorf("objects that the JVM makes by itself at more locations than %d are "+
			"not counted", maxLocations)
	}
	numbers, err := t.take(r)
	return r, numbers, err
}

// original gives the location in the class file as it was. Where it is not known the line is right all the same.
func (t *Table) original(at Location) instrument.CodeLocation {
	t.mu.Lock()
	defer t.mu.Unlock()
	location, ok := t.find(at)
	if !ok {
		location.BCI = -1
	}
	return location
}
