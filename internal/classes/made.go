package classes

import (
	"fmt"
	"strings"

	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// maxMade bounds the pairs of calls and classes that get counters, which they keep as long as the caller's loader
// lives.
const maxMade = 1 << 16

// MadeBy gives the first of three counters for objects of a class that a call makes, given the call's first counter. It
// is that counter where the class is the type of the call's site, or where there is no room for more.
func (t *Table) MadeBy(counter trace.CounterID, class string) trace.CounterID {
	key := made{counter, written(class)}
	by, first, known := t.knownMade(key)
	switch {
	case !known:
		return counter
	case first != 0:
		return first
	}
	r, numbers, err := t.madeBy(by.version, key)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.out.Loss("classes", err.Error())
	}
	if r == nil {
		return counter
	}
	t.record(by.loader, &Version{counters: numbers, contexts: by.version.contexts}, r, 0, 0)
	t.owners.count(by.loader, key, numbers.First)
	return numbers.First
}

// knownMade gives whose call it is, and the counters that there are for the class; the first is 0 where it has none.
func (t *Table) knownMade(what made) (by owner, first trace.CounterID, known bool) {
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

func (t *Table) madeBy(v *Version, what made) (*instrument.Result, counters.Range, error) {
	class, err := v.result()
	if err != nil { // the file was changed since the class came out of it
		t.out.Loss("class-cache", "what some calls make is reported as what the code takes it for, since the class "+
			"cache cannot be read any more")
		t.log.Debug("a class's counters are not known", "error", err)
		return nil, counters.Range{}, nil
	}
	r := class.MakesOf(uint32(what.counter-v.counters.First), what.class)
	if r == nil {
		return nil, counters.Range{}, nil
	}
	if t.isMadeFull() {
		return nil, counters.Range{}, fmt.Errorf("calls that make objects of more than %d classes: those of others "+
			"are reported as what the code takes them for", maxMade)
	}
	numbers, err := t.take(r)
	if err != nil {
		return nil, numbers, err
	}
	return r, numbers, nil
}
