package main

import (
	"math/rand/v2"
	"slices"

	"mallard/internal/jvmtest"
)

// busy is the program whose recorder is killed at random.
var busy = Ending{Name: "busy", Does: "kill -9 of the recorder at a random moment", Argument: "busy", Promise: Readable,
	Markers: 2}

// Matrix gives all cases: deaths with every way to record, limits with two, options with every collector, and so many
// kills.
func Matrix(jdks []jvmtest.JDK, kills int) []*Case {
	var cases []*Case
	for number, jdk := range jdks {
		add := func(c Case) {
			c.JDK, c.JDKNumber = jdk, number
			cases = append(cases, &c)
		}
		for i := range deaths {
			for _, o := range observings {
				add(Case{Group: "deaths", Ending: &deaths[i], Observing: o})
			}
		}
		for i := range limits {
			for _, o := range observings[:2] {
				add(Case{Group: "limits", Ending: &limits[i], Observing: o})
			}
		}
		for i := range options {
			for k, collector := range collectors {
				add(Case{Group: "options", Ending: &options[i], Collector: collector,
					Observing: observings[(i+k)%len(observings)]})
			}
		}
	}
	for n := range kills { // the same ones each time
		random := rand.New(rand.NewPCG(0, uint64(n)))
		cases = append(cases, &Case{Group: "kills", Ending: &busy, Kill: &Kill{n, random.Float64()},
			Observing: observings[random.IntN(len(observings))], JDK: jdks[random.IntN(len(jdks))]})
	}
	return cases
}

// cheap makes a JVM that runs for a moment take little time.
var cheap = []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"}

// Short gives what CI runs: each death once, with JDKs and ways to record in turn, some options and some kills. Limits
// run there as tests.
func Short(cases []*Case, jdks int) []*Case {
	var some []*Case
	options := 0
	for _, c := range cases {
		switch c.Group {
		case "deaths":
			i := slices.IndexFunc(deaths, func(e Ending) bool { return e.Name == c.Ending.Name })
			if c.Observing.Name == observings[i%len(observings)].Name && c.JDKNumber == i%jdks {
				c.Further = cheap
				some = append(some, c)
			}
		case "options":
			if options++; options%93 == 0 {
				some = append(some, c)
			}
		case "kills":
			if c.Kill.Number < 1 {
				some = append(some, c)
			}
		}
	}
	return some
}
