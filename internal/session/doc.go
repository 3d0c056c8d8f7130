// Package session records one profiled JVM: it answers the agent, has classes instrumented, reads the pages in which threads count and writes
// the recording.
//
//	agent ──Class──▶ session ──▶ instrument
//	      ◀─bytes──          ──▶ trace (ClassDef)
//	pages ──every second───▶ session ──▶ trace (Snapshot)
//
// A session has two goroutines: one converses with the agent, one takes snapshots. What the program does never waits for the recording: an
// answer is sent before anything is written down.
//
// The package decides nothing about bytecode or file formats, and whatever goes wrong in it costs counts, never the program.
package session
