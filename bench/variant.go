package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mallard/internal/jvmtest"
)

// A variant is a way to run a workload. The command it makes may write into the folder.
type variant struct {
	name    string
	about   string
	command func(s *session, c jvmtest.Command, folder string) jvmtest.Command
}

const (
	plain           = "plain"
	mallard         = "mallard"
	mallardNoCache  = "mallard-no-cache"
	mallardContexts = "mallard-contexts"
	// Java Flight Recorder is the only peer in the JDK; async-profiler is in no registry that Debian's users have.
	jfr            = "jfr"
	jfrAllocations = "jfr-allocations"
)

// variants in the order of a round. The first is what the others are compared with.
var variants = []variant{
	{plain, "without a profiler", func(s *session, c jvmtest.Command, folder string) jvmtest.Command { return c }},
	{mallard, "mallard run", recorded()},
	{mallardNoCache, "mallard run --no-cache: every class is instrumented anew", recorded("--no-cache")},
	{mallardContexts, "mallard run --track contexts: every calling context, exactly", recorded("--track", "contexts")},
	{jfr, "JFR, settings=profile: at most 300 samples of allocations a second", flightRecorder("")},
	// Since JDK 16 these are not part of the settings: an event with a stack for each new allocation buffer and each object outside of one.
	{jfrAllocations, "JFR, settings=profile, with an event for each allocation buffer and each object outside of one",
		flightRecorder(",jdk.ObjectAllocationInNewTLAB#enabled=true,jdk.ObjectAllocationOutsideTLAB#enabled=true")},
}

const recordingName = "run.mallard"

func recorded(flags ...string) func(*session, jvmtest.Command, string) jvmtest.Command {
	return func(s *session, c jvmtest.Command, folder string) jvmtest.Command {
		c.Wrap = slices.Concat([]string{s.mallard, "run", "-q", "-o", filepath.Join(folder, recordingName)}, flags, []string{"--"})
		return c
	}
}

func flightRecorder(settings string) func(*session, jvmtest.Command, string) jvmtest.Command {
	return func(s *session, c jvmtest.Command, folder string) jvmtest.Command {
		c.Options = append([]string{"-XX:StartFlightRecording=settings=profile,filename=" + filepath.Join(folder, "run.jfr") + settings,
			"-Xlog:jfr+startup=off"}, c.Options...)
		return c
	}
}

// selectVariants reads a list of names; "" is all. The plain one is always among them.
func selectVariants(list string) ([]variant, error) {
	if list == "" {
		return variants, nil
	}
	names := strings.Split(list, ",")
	for _, name := range names {
		if !slices.ContainsFunc(variants, func(v variant) bool { return v.name == name }) {
			return nil, fmt.Errorf("no variant is called %q", name)
		}
	}
	return slices.DeleteFunc(slices.Clone(variants), func(v variant) bool { return v.name != plain && !slices.Contains(names, v.name) }), nil
}
