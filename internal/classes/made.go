package classes

import (
	"fmt"
	"strings"

	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// maxMade bounds the pairs of calls and classes that get counters, which they keep as long as the caller's loader
// lives.
const maxMade = 1 << 16

// onlyHere says in place of the number of counters that the answer holds for no other class.
const onlyHere = 1<<32 - 1

// MadeBy gives the first of three counters for objects of a class that a call makes, given the call's first counter,
// and how many there are. It is that counter where the class is the type of the call's site, with none, or where there
// is no room for more, with onlyHere.
func (t *Table) MadeBy(counter trace.CounterID, class string) (first trace.CounterID, n uint32) {
	key := made{counter, written(class)}
	by, there, known := t.knownMade(key)
	switch {
	case !known:
		return counter, onlyHere
	case there.Len() > 0:
		return there.First, uint32(there.Len())
	}
	r, err := t.makesOf(by.version, key)
	if err != nil {
		return counter, onlyHere
	}
	if r == nil {
		return counter, 0
	}
	numbers, err := t.takeMade(r)
	if err != nil {
		t.out.Loss("classes", err.Error())
		return counter, onlyHere
	}
	t.recordMade(by, key, r, numbers)
	return numbers.First, r.Counters
}

// Made records counters that the agent has given to objects of a class that a call makes, as MadeBy said of the same
// call in another class of the cache's entry. That bounds them, too: by classes that there are, and such answers.
func (t *Table) Made(m *transport.CountersMade) error {
	key, first := made{trace.CounterID(m.Counter), written(m.Name)}, trace.CounterID(m.First)
	by, _, known := t.knownMade(key)
	if !known {
		return nil // the class could not be read out of the cache any more, which is a loss already
	}
	r, err := t.makesOf(by.version, key)
	if err != nil {
		t.out.Loss("class-cache", "some of what calls make is not counted, since the class cache "+
			"cannot be read any more")
	}
	if r != nil {
		t.recordMade(by, key, r, counters.Range{First: first, End: first + trace.CounterID(r.Counters)})
	}
	return nil
}

func (t *Table) recordMade(by owner, what made, r *instrument.Result, numbers counters.Range) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.record(by.loader, &Version{counters: numbers, contexts: by.version.contexts}, r, 0, 0)
	t.owners.count(by.loader, what, numbers)
}

// knownMade gives whose call it is, and the counters that there are for the class.
func (t *Table) knownMade(what made) (by owner, there counters.Range, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	by, known = t.owners.of(what.counter)
	return by, t.owners.counters[by.loader][what], known
}

// isMadeFull reports whether there are no counters for more pairs of calls and classes.
func (t *Table) isMadeFull() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.owners.made == maxMade
}

// written is the name of a class in its class file: behind that of a hidden one the JVM has put an address.
func written(class string) string {
	name, _, hidden := strings.Cut(class, ".")
	if hidden && strings.HasSuffix(class, ";") {
		name += ";"
	}
	return name
}

// makesOf says how objects of a class are counted that a call makes ([instrument.Result.MakesOf]).
func (t *Table) makesOf(v *Version, what made) (*instrument.Result, error) {
	key := madeOfEntry{v.entry, made{what.counter - v.counters.First, what.class}}
	if r, ok := t.again.find(key); ok {
		return r, nil
	}
	class, err := v.result()
	if err != nil { // the file was changed since the class came out of it
		t.out.Loss("class-cache", "what some calls make is reported as what the code takes it for, since the class "+
			"cache cannot be read any more")
		t.log.Debug("a class's counters are not known", "error", err)
		return nil, err
	}
	r := class.MakesOf(uint32(key.made.counter), what.class)
	t.again.keep(key, r)
	return r, nil
}

// takeMade takes counters for what a call makes of a class.
func (t *Table) takeMade(r *instrument.Result) (counters.Range, error) {
	if t.isMadeFull() {
		return counters.Range{}, fmt.Errorf("calls that make objects of more than %d classes: those of others are "+
			"reported as what the code takes them for", maxMade)
	}
	return t.take(r)
}
