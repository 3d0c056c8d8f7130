package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mallard/internal/jvmtest"
)

// builds is what the commands of variants are made of.
type builds struct {
	root    string // of the repository
	mallard string // the binary
	before  string // another one, "" without
}

// A variant is a way to run a workload. The command it makes may write into the folder.
type variant struct {
	name       string
	about      string
	asked      bool // measured only if asked for by name
	safepoints bool // the JVM logs them, in turns
	command    func(b *builds, jdk jvmtest.JDK, c jvmtest.Command, folder string) (jvmtest.Command, error)
}

const (
	plain           = "plain"
	mallard         = "mallard"
	mallardNoCache  = "mallard-no-cache"
	mallardContexts = "mallard-contexts"
	mallardObjects  = "mallard-objects"
	mallardUntagged = "mallard-objects-untagged"
	mallardSingles  = "mallard-each-object"
	before          = "before"
	mallardSampled  = "mallard-sampled"
	mallardAlone    = "mallard-samples-alone"
	mallardReplicas = "mallard-replicas"
	beforeContexts  = "before-contexts"
	// Java Flight Recorder is the only peer in the JDK; async-profiler is in no registry that Debian's users have, so
	// an agent does what it would have to.
	jfr            = "jfr"
	jfrAllocations = "jfr-allocations"
	everyObject    = "every-object"
)

// variants in the order of a round. The first is what the others are compared with.
var variants = []variant{
	{name: plain, about: "without a profiler", command: func(b *builds, jdk jvmtest.JDK, c jvmtest.Command,
		folder string) (jvmtest.Command, error) {
		return c, nil
	}},
	{name: mallard, about: "mallard run", command: recorded(thisBuild)},
	{name: before, about: "mallard run, of another build", asked: true, command: recorded(anotherBuild)},
	{name: mallardNoCache, about: "mallard run --no-cache: every class is instrumented anew",
		command: recorded(thisBuild, "--no-cache")},
	{name: mallardContexts, about: "mallard run --track contexts: every calling context, exactly",
		command: recorded(thisBuild, "--track", "contexts")},
	{name: mallardObjects, about: "mallard run --track sites,objects: what becomes of all objects, by class",
		asked: true, command: recorded(thisBuild, "--track", "sites,objects")},
	{name: mallardUntagged, about: "the same, whose objects do not know their sites", asked: true,
		command: recorded(thisBuild, "--track", "sites,objects", "--no-tags")},
	{name: mallardSingles, about: "mallard run --track sites,objects --each-object: each of them by itself",
		asked: true, command: recorded(thisBuild, "--track", "sites,objects", "--each-object")},
	{name: mallardSampled, about: "mallard run --track replicas --replicas sampled: copies, by samples", asked: true,
		command: recorded(thisBuild, "--track", "replicas", "--replicas", "sampled")},
	{name: mallardAlone, about: "the same with --no-sites: samples alone", asked: true,
		command: recorded(thisBuild, "--track", "replicas", "--replicas", "sampled", "--no-sites")},
	{name: mallardReplicas, about: "mallard run --track replicas: copies, by the contents of all objects", asked: true,
		command: recorded(thisBuild, "--track", "replicas")},
	{name: beforeContexts, about: "mallard run --track contexts, of another build", asked: true,
		command: recorded(anotherBuild, "--track", "contexts")},
	{name: jfr, about: "JFR, settings=profile: at most 300 samples of allocations a second",
		command: flightRecorder("")},
	// Since JDK 16 these are not part of the settings: an event with a stack for each new allocation buffer and each
	// object outside of one.
	{name: jfrAllocations,
		about: "JFR, settings=profile, with an event for each allocation buffer and each object outside of one",
		command: flightRecorder(",jdk.ObjectAllocationInNewTLAB#enabled=true" +
			",jdk.ObjectAllocationOutsideTLAB#enabled=true")},
	{name: everyObject, about: "an agent that takes the stack of every object by JVMTI (bench/peer/everyobject.c)",
		asked: true, command: sampled},
}

const recordingName = "run.mallard"

// thisBuild is the binary that is measured, anotherBuild the one that it is compared with.
func thisBuild(b *builds) (string, error) { return b.mallard, nil }

func anotherBuild(b *builds) (string, error) {
	if b.before == "" {
		return "", errors.New("-before does not say which build that is")
	}
	return b.before, nil
}

func recorded(binary func(*builds) (string, error),
	flags ...string) func(*builds, jvmtest.JDK, jvmtest.Command, string) (jvmtest.Command, error) {
	return func(b *builds, _ jvmtest.JDK, c jvmtest.Command, folder string) (jvmtest.Command, error) {
		path, err := binary(b)
		c.Wrap = slices.Concat([]string{path, "run", "-q", "-o", filepath.Join(folder, recordingName)}, flags,
			[]string{"--"})
		return c, err
	}
}

func flightRecorder(settings string) func(*builds, jvmtest.JDK, jvmtest.Command, string) (jvmtest.Command, error) {
	return func(b *builds, _ jvmtest.JDK, c jvmtest.Command, folder string) (jvmtest.Command, error) {
		c.Options = append([]string{"-XX:StartFlightRecording=settings=profile,filename=" + filepath.Join(folder,
			"run.jfr") + settings,
			"-Xlog:jfr+startup=off"}, c.Options...)
		return c, nil
	}
}

func sampled(b *builds, jdk jvmtest.JDK, c jvmtest.Command, folder string) (jvmtest.Command, error) {
	agent, err := jdk.Agent(filepath.Join(b.root, "bench", "peer", "everyobject.c"))
	c.Options = append([]string{"-agentpath:" + agent}, c.Options...)
	return c, err
}

// selectVariants reads a list of names; "" is all that need not be asked for. The plain one is always among them.
func selectVariants(list string) ([]variant, error) {
	if list == "" {
		return slices.DeleteFunc(slices.Clone(variants), func(v variant) bool { return v.asked }), nil
	}
	names := strings.Split(list, ",")
	for _, name := range names {
		if !slices.ContainsFunc(variants, func(v variant) bool { return v.name == name }) {
			return nil, fmt.Errorf("no variant is called %q", name)
		}
	}
	return slices.DeleteFunc(slices.Clone(variants), func(v variant) bool {
		return v.name != plain &&
			!slices.Contains(names, v.name)
	}), nil
}

// withSafepoints has JVMs log these.
func withSafepoints(variants []variant) []variant {
	var logging []variant
	for _, v := range variants {
		v.safepoints = true
		logging = append(logging, v)
	}
	return logging
}
