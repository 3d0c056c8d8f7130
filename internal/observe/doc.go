// Package observe says what an observer is: one kind of fact that a recording can have of a JVM, such as what each site
// allocates, in which context, or what each collection did.
//
//	registry ──▶ [Set] ──options──▶ command line, -agentpath, help
//	                   ──[Set.Open]──▶ [Observer]s of one JVM ──▶ recording
//
// An observer is a package below this one, one line in package registry, its records in package trace, and, where it
// needs the agent, one C file. Its [Definition] is all that the command line, the agent's options, the class cache and
// the help know of it; its [Observer] is all that a session knows. What an observer does not need it inherits from
// [Base].
package observe
