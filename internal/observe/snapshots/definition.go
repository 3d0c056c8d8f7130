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
bytecodes, and counts them as --bytecodes does. They are those of the program's own
classes: what the JDK executes differs from run to run, because compilers replace
its methods, and because of files and random numbers. Each thread counts for itself.
So a program of one thread that does the same in each run has all snapshots at the
same bytecodes, up to some hundreds after the million, and with the same counts,
except for what threads of the JVM allocate. A snapshot takes half a millisecond,
with contexts ten or more; a loop may execute a million bytecodes in one. With
--on-snapshot the program waits for the class that is called, which chooses in
bytecodes when it is called again. If the class wants a lock that the program has,
the program waits for 10 s at most, and does not wait again in that run.`
