// Package sites observes what each site of a program allocates. Counting sites is what instrumented code does by
// itself: packages instrument, classes and counters are all of it. The observer is there to be chosen.
package sites

import "mallard/internal/observe"

// Name is the observer's, in --track and in recordings.
const Name = "sites"

// Define defines the observer.
func Define() *observe.Definition {
	return &observe.Definition{
		Name: Name, Choice: observe.Tracked, Default: true,
		About: about,
		Open:  func(*observe.Host) (observe.Observer, error) { return observe.Base{}, nil },
	}
}

// about is what "mallard help tracks" says.
const about = `every allocation by a bytecode, or by a call that allocates without one
(clone, reflection, lambdas, strings): how many objects, elements and
bytes each site allocated, by thread. Counters are on control-flow paths
and belong to one thread each, so counts are exact, and counting is an
addition without a lock.`
