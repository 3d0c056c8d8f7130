// Package objects observes what becomes of a JVM's objects: what is born, survives, gets old and dies, by class, at
// each collection. The agent (agent/heap.c) reads what is new in the heap when the world has stopped for one; what that
// tells is found when the recording is read (package heap).
package objects

import (
	"errors"
	"fmt"
	"time"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/heap"
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/recording"
	"mallard/internal/trace"
	"mallard/internal/transport"
	"mallard/internal/transport/events"
)

// Name is the observer's, in --track and in recordings.
const Name = heap.Observer

// ringBytes holds what a collection tells of a large heap.
const ringBytes = 16 << 20

// singleRingBytes holds what it tells of some ten million single objects: half of it is theirs.
const singleRingBytes = 64 << 20

// Settings are what users choose.
type Settings struct {
	untagged, singly bool
	references       references
}

// Untagged reports whether objects are not to know their sites.
func (s *Settings) Untagged() bool { return s.untagged }

// Define defines the observer, whose objects know their sites unless that is switched off.
func Define(s *Settings) *observe.Definition {
	return &observe.Definition{
		Name: Name, Choice: observe.Tracked, About: about,
		Options: []observe.Option{
			observe.Switch("no-tags",
				"with objects: do not record which site made each object, which keeps compilers from removing objects",
				&s.untagged),
			observe.Switch("each-object",
				"with objects: record every single object, with its address, its moves and its end; costs more",
				&s.singly),
			{
				Name: "references", Value: "WHEN", Choices: []string{"none", "end", "10m"}, Default: "none",
				Help: "with objects: record what each object refers to; `WHEN` is none, end (of the JVM), or a time, " +
					"e.g. 10m, for every so often and the end (see \"mallard heap --retained\")",
				Set: s.references.set,
			},
		},
		Variant: func() string {
			if s.untagged {
				return ""
			}
			return "-tags"
		},
		Open: func(h *observe.Host) (observe.Observer, error) {
			// who reads all needs no single objects in keyframes
			follower := newFollower(s.singly && h.Kept, h)
			return observer{keep: h.KeepEvents(Name, follower), tags: !s.untagged && walked[h.Collector],
				turned: h.Tags, references: s.references, singly: s.singly, out: h.Recording, losses: &losses{},
				births: newImpliedSites()}, nil
		},
	}
}

// references says when they are recorded.
type references struct {
	wanted bool          // at the JVM's end
	every  time.Duration // and between two times before that; 0: at no other time
}

// leastBetween is the shortest time between two records of references, each of which stops the program.
const leastBetween = time.Second

func (r *references) set(text string) error {
	switch every, err := time.ParseDuration(text); {
	case text == "none":
		*r = references{}
	case text == "end":
		*r = references{wanted: true}
	case err != nil:
		return errors.New("not none, end, or a time such as 10m")
	case every < leastBetween:
		return fmt.Errorf("%v is less than %v", every, leastBetween)
	default:
		*r = references{wanted: true, every: every}
	}
	return nil
}

// Greet tells the agent how often references are recorded.
func (o observer) Greet(answer *transport.HelloAnswer) {
	answer.ReferencesEvery = uint64(o.references.every)
}

// walked are the collectors whose heaps the agent reads.
var walked = map[string]bool{"Serial": true, "Parallel": true, "G1": true}

type observer struct {
	observe.Base
	keep       events.Handler
	tags       bool
	turned     *counters.Tags
	references references
	singly     bool
	out        *recording.Recording
	losses     *losses       // events are all handled before Finish
	births     *impliedSites // where objects are tagged
}

// Code has objects know their sites.
func (o observer) Code(_ trace.LoaderID, to *instrument.Options) { to.Tags = o.tags }

// Events are recorded as the agent makes them.
func (o observer) Events() map[events.Kind]events.Handler {
	kinds := []events.Kind{abi.EventHeapLoader, abi.EventHeapClass, abi.EventHeapGone, abi.EventHeapImplied,
		abi.EventHeapRows, abi.EventHeapWalk, abi.EventHeapFinish}
	if o.references.wanted {
		kinds = append(kinds, abi.EventHeapShape, abi.EventHeapMirror, abi.EventHeapRoot, abi.EventHeapObjects,
			abi.EventHeapGraphBegin, abi.EventHeapGraph, abi.EventHeapName, abi.EventHeapOwner)
	}
	if o.singly { // the agent makes them if they are wanted
		kinds = append(kinds, abi.EventHeapSingles, abi.EventHeapSinglesEnd)
	}
	handlers := map[events.Kind]events.Handler{}
	for _, kind := range kinds {
		handlers[kind] = o.keep
	}
	if o.tags {
		handlers[abi.EventHeapClass] = both(o.births.class, o.keepClass)
		handlers[abi.EventHeapGone] = both(o.births.gone, o.keep)
		handlers[abi.EventHeapRows] = both(o.births.rows, o.keep)
	}
	if o.singly {
		handlers[abi.EventHeapSinglesEnd] = func(e events.Event) {
			o.losses.take(e)
			o.keep(e)
		}
		handlers[abi.EventHeapWalk] = func(e events.Event) {
			o.losses.walked(e)
			o.keep(e)
		}
	}
	return handlers
}

func both(first func(data []byte), second events.Handler) events.Handler {
	return func(e events.Event) {
		first(e.Data)
		second(e)
	}
}

// keepClass records the turn of a class's tag, too.
func (o observer) keepClass(e events.Event) {
	e.Data = heap.Turned(e.Data, o.turned.Turned)
	o.keep(e)
}

// Implied gives sites that need not tag their objects.
func (o observer) Implied(soon bool) []classes.ImpliedSite { return o.births.implied(soon) }

// Finish says what is not known of single objects.
func (o observer) Finish() {
	o.losses.each(func(detail string, n uint64) { o.out.Losses(Name, detail, n) })
}

// EventBytes is room for what a collection tells.
func (o observer) EventBytes() int {
	if o.singly {
		return singleRingBytes
	}
	return ringBytes
}

// Less is single objects without addresses where they are born, and then sums alone.
func (o observer) Less() []string {
	if !o.singly {
		return nil
	}
	return []string{"single objects that were born were recorded without addresses",
		"objects were recorded by class, not each by itself"}
}

// about is what "mallard help tracks" says.
const about = `what is born, survives, ages and dies in the heap, by class, at each
collection, and what the heap contains at any: "mallard heap". For G1,
Parallel and Serial. Each object is read once while it is young, and again
whenever it survives, while the program is stopped: some nanoseconds each.
--references end also records, at the end of the JVM, what each live
object refers to and what keeps it alive: "mallard heap --paths CLASS",
"--retained", "--dominators". The JVM's end then takes about 100
nanoseconds longer per object, and the recording 5 bytes. --references 10m
does so every ten minutes as well, and stops the program each time.`
