// Package launch starts commands with Mallard in every JVM that they end up starting, and ends when all of them have:
// command lines and environments, signals, descendants, the files of recordings.
//
//	mallard run -- COMMAND    [Run]: starts COMMAND, listens for agents, a session for each
//	java -agentpath:...       [Record]: the recorder that an agent starts where nobody listens
//
// What happens around one JVM is package session's.
package launch
