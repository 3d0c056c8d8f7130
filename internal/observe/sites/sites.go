// Package sites observes what each site of a program allocates. Counting sites is what instrumented code does by itself:
// packages instrument, classes and counters are all of it. The observer is there to be chosen.
package sites

import "mallard/internal/observe"

// Define defines the observer.
func Define() *observe.Definition {
	return &observe.Definition{
		Name: "sites", Choice: observe.Tracked, Default: true,
		Open: func(*observe.Host) (observe.Observer, error) { return observe.Base{}, nil },
	}
}
