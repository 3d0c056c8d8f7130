// Package transport carries messages between the agent inside a JVM and the recorder: on a socket, where the agent may
// wait for an answer; through the message ring in the shared memory, where nobody waits; and on the control channel, a
// second socket whose end rides with the first frame, for the agent's own thread, which waits there for what the
// recorder wants done.
//
// A frame is a type, a length and a payload. Package abi has the table of the messages; the types here, which decode
// and encode them, are generated from it (messages.go).
//
//	agent                               recorder
//	Hello (with the shared memory)   →
//	                                 ← OK with a HelloAnswer, or Refuse with the reason
//	Class                            →
//	                                 ← OK with the new bytes, empty: unchanged
//	Death                            →
//	                                 ← OK once the last snapshot is taken, with what the agent is to say on stderr
//
//	Retransformed                    →   on the control channel
//	                                 ← OK with classes to retransform, when there are some
//
// The package knows nothing about class files or recordings.
package transport

//go:generate sh -c "go run mallard/internal/abi/gen messages > messages.go"
