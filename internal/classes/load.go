package classes

import (
	"errors"
	"hash/maphash"
	"slices"
	"time"

	"mallard/internal/adapt"
	"mallard/internal/calltree"
	"mallard/internal/instrument"
)

// Answer is what the JVM gets for a class.
type Answer struct {
	Bytes []byte // the new class file; empty: it stays as it is
	After func() // to be called once the answer is on its way
}

// unchanged is the answer that a class stays as it is.
var unchanged = Answer{After: func() {}}

// Load makes a class that is being defined, or redefined, count.
func (t *Table) Load(key Key, class []byte, redefined bool) Answer {
	if !redefined {
		if bytes, ok := t.loadCached(key, class); ok {
			return Answer{Bytes: bytes, After: func() {}}
		}
	}
	started := time.Now()
	version, r, methods, err := t.version(key, class, redefined)
	if err != nil {
		t.skip(key, redefined, err)
		return unchanged
	}
	if version != nil && version.metadata != nil { // one that is recorded already
		return Answer{Bytes: r.Bytes, After: func() {}}
	}
	metadata, err := r.Metadata()
	if err != nil {
		t.skip(key, redefined, err)
		return unchanged
	}
	var added instrument.Numbers
	if version != nil {
		added, version.metadata = t.numbers(version), &stored{bytes: slices.Clone(metadata)}
	}
	micros := uint32(time.Since(started).Microseconds())
	kept := t.define(key.Loader, version, r, class, redefined, micros)
	return Answer{Bytes: r.Bytes, After: func() {
		runtime := key.Loader == bootLoader && instrument.IsRuntime(r.Name) // its bytes are other ones in each JVM
		if !redefined && !runtime {
			t.cache.add(key.Loader, class, r, metadata, added, methods, kept)
		}
	}}
}

var versionSeed = maphash.MakeSeed()

// version makes a class that is being defined, or a new version of one, count, and gives its methods with contexts. The
// version is nil where nothing has to; it has metadata already where it is one that the class had before.
func (t *Table) version(key Key, class []byte, redefined bool) (*Version, *instrument.Result, []calltree.Method,
	error) {
	v := &Version{}
	o := instrument.Options{Placement: t.options.Placement, Redefined: redefined, Leaf: t.leaves.by(key.Loader)}
	var before []*Version
	if redefined {
		before, v.frequencies, o.Untagged = t.earlier(key)
	}
	o.Frequencies = v.frequencies.Apply
	o.Watched = redefined && t.tells(key.Name)
	if t.options.Code != nil {
		t.options.Code(key.Loader, &o)
	}
	r, err := t.rewrite(class, o)
	if err == nil && t.options.Contexts != nil {
		if redefined {
			t.leaves.forget(key.Loader, r)
		}
		t.leaves.learn(key.Loader, leavesOf(r))
	}
	if err != nil || r.Bytes == nil {
		return nil, r, nil, err
	}
	if o.Watched && len(r.Methods) == 0 { // there is nothing to count
		return nil, r, nil, nil
	}
	if redefined {
		v.hash = maphash.Bytes(versionSeed, r.Bytes)
	}
	for _, b := range before {
		if b.hash == v.hash {
			r.Add(t.numbers(b))
			return b, r, nil, nil
		}
	}
	methods := t.contextsOf(r)
	return v, r, methods, t.number(v, r, methods)
}

// tells reports whether the code of classes of that name is to tell what it reads.
func (t *Table) tells(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.watch.wants(name)
}

// earlier gives the versions that a class has had, and the frequencies to place the next one with, in which some sites
// give no tags.
func (t *Table) earlier(key Key) ([]*Version, adapt.Frequencies, map[uint32]bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.classes[key]
	if c == nil {
		return nil, nil, nil
	}
	return slices.Clone(c.versions), c.frequencies, c.untagged
}

var errMissed = errors.New("the recorder did not answer in time")

// Missed notes that a class stays as it is, since the JVM did not wait for an answer. It is retransformed as soon as
// may be, and counts from then on.
func (t *Table) Missed(key Key, redefined bool) {
	if key.Name == "" {
		return // nobody can ask for it
	}
	known := t.noteMissed(key)
	t.skip(key, redefined || known, errMissed)
}

// noteMissed has a class retransformed later. It reports whether a version of it is there.
func (t *Table) noteMissed(key Key) (known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.classes[key]
	if c != nil {
		c.missed = true
	}
	t.missed.add(key)
	return c != nil
}

// Present has classes retransformed that were loaded before Mallard was attached.
func (t *Table) Present(keys []Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.missed.present.since = time.Now()
	for _, key := range keys {
		t.missed.waiting = append(t.missed.waiting, &missedClass{key: key, present: true})
	}
	t.missed.present.count += len(keys)
}
