// Package session records one profiled JVM: it answers the agent, has classes instrumented, reads the blocks in which
// threads count and writes the recording.
//
//	agent ──Class──▶ session ──▶ instrument
//	      ◀─bytes──          ──▶ trace (ClassDef)
//	blocks ──every second───▶ session ──▶ trace (Snapshot)
//
//	start.go      from the agent's first message to the recording that has begun
//	run.go        the goroutines, and the end
//	dispatch.go   the agent's requests; messagering.go: what needs no answer
//
// One goroutine of a session converses with the agent, one takes snapshots, one reads the agent's message ring, and
// where it is wanted one has classes placed again, or calls a class of the user's, and one chooses constants of calls.
// What the program does never waits for the recording: an answer is sent before anything is written down, but where
// threads ask for snapshots every so many bytecodes.
//
// The package decides nothing about bytecode or file formats, and whatever goes wrong in it costs counts, never the
// program.
package session
