// Package collections observes the garbage collections of a JVM: what each was and why, how long the world stood
// still, and what the heap held before and after.
//
// The agent (agent/collections.c) has an [event] for each time that the JVM says it has stopped the world to
// collect. What collections those were is found when the recording is read:
//
//	events ──decode──▶ []event ──interpret, one way for each collector──▶ []row ──▶ profile.EventTable
package collections

import (
	"mallard/internal/abi"
	"mallard/internal/observe"
	"mallard/internal/transport/events"
)

// Name is the observer's, in --track and in recordings.
const Name = "gc"

// Define defines the observer.
func Define() *observe.Definition {
	return &observe.Definition{
		Name: Name, Choice: observe.Tracked, Default: true, Besides: true,
		About: about,
		Questions: []observe.Question{{
			Name: "gc", Observer: Name, Answer: answer,
			Help: "print the garbage collections: number, start, cause, kind, pause, bytes used before and after, " +
				"and allocated since the row before",
		}},
		Open: func(h *observe.Host) (observe.Observer, error) { return observer{keep: h.KeepEvents(Name, nil)}, nil },
	}
}

type observer struct {
	observe.Base
	keep events.Handler
}

// Events are recorded as the agent makes them.
func (o observer) Events() map[events.Kind]events.Handler {
	return map[events.Kind]events.Handler{abi.EventCollection: o.keep}
}

// Less is a pause without what tells the collections in it.
func (observer) Less() []string {
	return []string{"garbage collections were recorded without causes and kinds"}
}

// about is what "mallard help tracks" says.
const about = `each garbage collection, whatever else is recorded: number, start, cause,
kind, pause, bytes used before and after. "mallard report --gc" prints
them, "mallard view" and "mallard export --format html" draw them, and
"mallard report --over-time" names them. A collection costs some
microseconds. The pause of a concurrent cycle is null, since it has none,
and so is the heap if the program ran meanwhile. Allocated is what was
allocated since the row before.`
