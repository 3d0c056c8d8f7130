// Package constructors observes calls of constructors in all contexts, from which the JP paper computes objects: a
// check of the counts that needs nothing of what counts them (package profile, "Check").
package constructors

import (
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/observe/contexts"
	"mallard/internal/trace"
)

// Name is what --track has.
const Name = "constructors"

// Define defines the observer. It needs a context for every method, and its invocations: contexts are
// a tree then (package registry).
func Define() *observe.Definition {
	return &observe.Definition{
		Name: Name, Choice: observe.Tracked,
		About:   about,
		Needs:   func() []string { return []string{contexts.Name} },
		Variant: func() string { return "-" + Name },
		Open:    func(*observe.Host) (observe.Observer, error) { return observer{}, nil },
	}
}

type observer struct{ observe.Base }

func (observer) Code(_ trace.LoaderID, o *instrument.Options) { o.Constructors = true }

// about is what "mallard help tracks" says.
const about = `contexts as a tree, with a node for every constructor, and calls of
Object's: for "mallard info --check", which compares the counts with those
of constructor calls.`
