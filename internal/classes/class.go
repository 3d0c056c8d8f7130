package classes

import (
	"time"

	"mallard/internal/adapt"
)

// class is what is remembered of a class of the JVM that has counters.
type class struct {
	versions    []*Version        // in the order of their definition; frames may run in any of them
	original    *stored           // that the last version was made from, where that may be placed again; nil elsewhere
	frequencies adapt.Frequencies // to place the next version with
	missed      bool              // the JVM may run it as it was: it did not wait for a version
	untagged    map[uint32]bool   // sites that give no tags in the next version; not changed but for another map
	adaptation
}

// last gives the version that new invocations run.
func (c *class) last() *Version { return c.versions[len(c.versions)-1] }

// adaptation is how far adapting a class has come.
type adaptation struct {
	times   int       // versions that were asked for
	next    time.Time // nothing is decided before
	wait    time.Duration
	refused bool // by the JVM, or by us: the class is not to change

	adapted map[string]bool // methods that were placed again
}

// firstWait is how long a class with a live frame waits until it is tried again, at first; it doubles each time.
const firstWait = 2 * time.Second

// postpone has a class considered again later, each time twice as much later.
func (a *adaptation) postpone(now time.Time) {
	a.postponeFrom(firstWait, now)
}

// postponeFrom is the same with another first wait.
func (a *adaptation) postponeFrom(first time.Duration, now time.Time) {
	a.wait = max(first, 2*a.wait)
	a.next = now.Add(a.wait)
}

// due reports whether it may be considered again.
func (a *adaptation) due(now time.Time) bool { return !now.Before(a.next) }
