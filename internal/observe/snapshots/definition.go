// Package snapshots observes when a program allocates: it has what was counted written every so often, in time or in
// executed bytecodes, and tells a class of the user's each time.
package snapshots

import (
	"cmp"

	"mallard/internal/observe"
	"mallard/internal/observe/bytecodes"
)

// Define defines the observer.
func Define(s *Settings) *observe.Definition {
	return &observe.Definition{
		Name: "snapshots", Choice: observe.Always,
		About: about,
		Options: []observe.Option{
			{
				Name: "snapshots", Value: "INTERVAL", Choices: []string{"100ms", "1s",
					"1000000bc"}, Default: DefaultEvery.String(),
				Help: "write counts to the recording every `INTERVAL`: a time, e.g. 100ms, or bytecodes that a " +
					"thread executes, e.g. 1000000bc",
				Set: func(text string) (err error) {
					every, err := parse(text)
					if err == nil {
						s.every = every
					}
					return err
				},
			},
			observe.Text("on-snapshot", "CLASS", "call this `CLASS` of the program's class path at snapshots (see "+
				"\"mallard help apijar\"); "+
				"counters then stay where they were placed at first", &s.class),
		},
		Recorded: func() []string { return nil },
		Needs: func() []string {
			if s.byBytecodes() {
				return []string{bytecodes.Name}
			}
			return nil
		},
		FixesPlacement: func() bool { return s.class != "" },
		PerLoader:      s.byBytecodes, // classes of the program report theirs
		Open: func(h *observe.Host) (observe.Observer, error) {
			o := observer{Settings: *s, host: h}
			o.every.Time = cmp.Or(o.every.Time, DefaultEvery)
			if o.class == "" {
				return &o, nil
			}
			h.Recording.Measure()
			return &caller{observer: o, until: h.Recording.Started()}, nil
		},
	}
}

// about is what "mallard help tracks" says.
const about = `--snapshots 1000000bc takes a snapshot whenever a thread has executed a million
bytecodes, which are counted as by --bytecodes. Only the program's own classes are
included: what the JDK executes differs from run to run, because compilers replace its
methods, and because of files and random numbers. Each thread counts for itself. A
single-threaded program that does the same in each run therefore has all snapshots at
the same bytecodes, up to some hundreds after the million, with the same counts, except
for what threads of the JVM allocate. A snapshot takes half a millisecond, with contexts
ten or more; a loop can execute a million bytecodes in one millisecond. With
--on-snapshot the program waits for the class that is called, which returns in how many
bytecodes it is called again. If the class waits for a lock that the program holds, the
program waits for at most 10 s, and then no more in that run.`
