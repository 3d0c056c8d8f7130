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
const about = `every allocation by bytecode, and by a call that makes something
without one (clone, reflection, lambdas, strings): how many objects,
elements and bytes each site made, in which thread. Counters sit on
control-flow paths and belong to one thread each, so that counts are
exact and a counter is one addition without a lock.`
