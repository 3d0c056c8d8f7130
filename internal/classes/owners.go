package classes

import (
	"cmp"
	"slices"

	"mallard/internal/counters"
	"mallard/internal/trace"
)

// owners says whose numbers are what of the classes that there are, and which others objects have that their calls
// make.
type owners struct {
	versions []owner // ascending
	counters map[trace.LoaderID]map[made]counters.Range
	made     int // in all of counters
}

// owner is a version of a class, which counts under numbers of its own.
type owner struct {
	loader  trace.LoaderID
	version *Version
}

// made is what a call makes: its first counter, and a class as an allocations.Site has it.
type made struct {
	counter trace.CounterID
	class   string
}

// add remembers whose numbers a version's are, unless it has none: with contexts most only call.
func (o *owners) add(loader trace.LoaderID, v *Version) {
	if v.counters.Len() == 0 {
		return
	}
	at, _ := o.find(v.counters.First)
	o.versions = slices.Insert(o.versions, at, owner{loader, v})
}

func (o *owners) find(counter trace.CounterID) (at int, found bool) {
	return slices.BinarySearchFunc(o.versions, counter, func(v owner, counter trace.CounterID) int {
		return cmp.Compare(v.version.counters.First, counter)
	})
}

// of finds the version that counts under a number.
func (o *owners) of(counter trace.CounterID) (owner, bool) {
	at, found := o.find(counter)
	if !found {
		at--
	}
	if at < 0 || counter >= o.versions[at].version.counters.End {
		return owner{}, false
	}
	return o.versions[at], true
}

// count notes where what a call makes is counted.
func (o *owners) count(loader trace.LoaderID, what made, by counters.Range) {
	if o.counters == nil {
		o.counters = map[trace.LoaderID]map[made]counters.Range{}
	}
	if o.counters[loader] == nil {
		o.counters[loader] = map[made]counters.Range{}
	}
	if o.counters[loader][what].Len() == 0 {
		o.made++
	}
	o.counters[loader][what] = by
}

// remove forgets the classes of loaders.
func (o *owners) remove(gone []trace.LoaderID) {
	are := make(map[trace.LoaderID]bool, len(gone)) // thousands may go at a time
	for _, loader := range gone {
		are[loader] = true
		o.made -= len(o.counters[loader])
		delete(o.counters, loader)
	}
	o.versions = slices.DeleteFunc(o.versions, func(v owner) bool { return are[v.loader] })
}
