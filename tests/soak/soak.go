package main

import "mallard/internal/jvmtest"

// Soak is one run: a program's churn, recorded in one way on one JDK.
type Soak struct {
	Churn string // the program's argument: what comes and goes
	Way   string // its name
	Flags []string
	Plain bool // without Mallard
	JDK   jvmtest.JDK
}

// Name names a run.
func (s *Soak) Name() string { return s.Churn + "/" + s.Way + "/" + s.JDK.String() }

// ways are those in which programs are recorded.
var ways = []Soak{
	{Way: "plain", Plain: true},
	{Way: "sites", Flags: []string{"--track", "sites"}},
	{Way: "contexts", Flags: []string{"--track", "contexts"}},
	{Way: "tree", Flags: []string{"--track", "contexts", "--contexts", "tree"}},
	{Way: "encoded", Flags: []string{"--track", "contexts", "--contexts", "encoded"}},
	{Way: "constructors", Flags: []string{"--track", "constructors"}},
	{Way: "objects", Flags: []string{"--track", "objects"}},
	{Way: "references", Flags: []string{"--track", "objects", "--references", "10s"}},
	{Way: "replicas", Flags: []string{"--track", "replicas"}},
	{Way: "bytecodes", Flags: []string{"--bytecodes"}},
	{Way: "snapshots", Flags: []string{"--track", "sites,gc", "--snapshots", "100ms"}},
}

// churns are what comes and goes.
var churns = []string{"threads", "loaders", "threads,loaders"}
