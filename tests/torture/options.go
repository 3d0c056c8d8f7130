package main

import "strings"

// options are what JVMs are given, with each collector. Where a JVM does not take one, it says the same with Mallard.
var options = []Ending{
	option("-Xint"),
	option("-Xcomp -XX:TieredStopAtLevel=1"),
	option("-XX:TieredStopAtLevel=1"),
	option("-XX:-TieredCompilation"),
	option("-XX:-DoEscapeAnalysis"),
	option("-XX:-OptimizeStringConcat"),
	option("-Xcheck:jni"),
	option("-Xshare:off"),
	option("-Xshare:auto"),
	option("-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"),
	option("-XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal"),
	option("-Xlog:gc*,class+load:file=log"),
	option("-XX:+UseStringDeduplication"),
	option("-XX:-UseCompressedOops"),
	option("-XX:-UseCompressedClassPointers"),
	option("-XX:ObjectAlignmentInBytes=16"),
	option("-XX:+UnlockExperimentalVMOptions -XX:+UseCompactObjectHeaders"),
	option("-XX:ActiveProcessorCount=1"),
	option("-Xmx24m"),
	option("-Xms64m -Xmx64m -XX:+AlwaysPreTouch"),
	option("-Xss256k"),
	option("-XX:-UsePerfData"),
	option("-XX:+DisableAttachMechanism"),
	option("-Xrs"),
	option("-XX:NativeMemoryTracking=summary"),
	option("-XX:-StackTraceInThrowable"),
	option("-XX:-UseTLAB"),
	option("-XX:MaxMetaspaceSize=32m"),
	option("-XX:ReservedCodeCacheSize=4m"),
	option("-XX:StartFlightRecording -Xlog:jfr*=off"),
	option("-ea -esa --enable-preview"),
}

func option(words string) Ending {
	return Ending{Name: words, Does: "`" + words + "`", Argument: "busy", Options: strings.Fields(words), Markers: 2}
}

// collectors are those that JVMs may have.
var collectors = []string{"Serial", "Parallel", "G1", "Z", "Shenandoah", "Epsilon"}

// observings are the ways to record.
var observings = []Observing{
	{Name: "sites", Flags: []string{"--track", "sites"}},
	{Name: "contexts hashed", Flags: []string{"--track", "contexts"}},
	{Name: "contexts tree", Flags: []string{"--track", "contexts", "--contexts", "tree"}},
	{Name: "contexts encoded", Flags: []string{"--track", "contexts", "--contexts", "encoded"}},
	{Name: "constructors", Flags: []string{"--track", "constructors"}},
	{Name: "bytecodes", Flags: []string{"--bytecodes"}},
	{Name: "snapshots", Flags: []string{"--snapshots", "20ms"}},
	{Name: "snapshots by bytecodes", Flags: []string{"--snapshots", "10000bc"}},
	{Name: "natives", Flags: []string{"--jni"}},
	{Name: "objects", Flags: []string{"--track", "objects"}},
	{Name: "references", Flags: []string{"--track", "objects", "--references", "end"}},
	{Name: "single objects", Flags: []string{"--track", "objects", "--each-object"}},
	{Name: "copies", Flags: []string{"--track", "replicas", "--replicas", "both", "--sampling-pause", "0"}},
	{Name: "collections", Flags: []string{"--track", "sites,gc", "--no-cache"}},
	{Name: "agent alone", Flags: []string{"track=sites"}, Alone: true},
}
