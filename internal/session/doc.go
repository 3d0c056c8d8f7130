// Package session records one profiled JVM: it answers the agent, has classes instrumented, reads the pages in which threads count and writes
// the recording.
//
//	agent ──Class──▶ session ──▶ instrument
//	      ◀─bytes──          ──▶ trace (ClassDef)
//	pages ──every second───▶ session ──▶ trace (Snapshot)
//
// One goroutine of a session converses with the agent, one takes snapshots, one reads the agent's mail, and where it is wanted one has classes placed again, or calls a class
// of the user's, and one chooses constants of calls. What the program does never waits for the recording: an answer is sent before anything is written down, but where threads ask
// for snapshots every so many bytecodes.
//
// [Run] records what a command starts. [Record] is the recorder that an agent starts where nobody listens: it has none of the program's streams,
// so the agent says what became of the recording, which is whole by the time the JVM's last snapshot is answered.
//
// The package decides nothing about bytecode or file formats, and whatever goes wrong in it costs counts, never the program.
package session
