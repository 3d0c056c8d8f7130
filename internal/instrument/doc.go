// Package instrument makes a class count what it allocates: class bytes in, new class bytes out, together with what
// each counter means.
//
// It joins the packages before it in the pipeline: the class file is taken apart, each method that allocates becomes
// a graph, placement chooses counters, and the code that increments them is put in. What it inserts is straight-line
// code that calls the runtime class:
//
//	new java/lang/Object
//	ldc 7                                counter 7 of this class; the recorder adds that of its first
//	invokestatic java/lang/$Mallard.count (I)V
//	dup
//	invokespecial java/lang/Object.<init> ()V
//
// Counter numbers are relative to the class, so the result does not depend on what was loaded before; [Result.Patch]
// makes them absolute.
//
// Arrays whose length is not a constant also add their lengths and sizes, right after they were made. For invocations
// that have not ended when counting does, [Method.Phi] says for every pc of the new code what to take off the counts.
//
// With [Options.Contexts], methods also know the chain of calls that led to them, and count for that: see [Context].
//
// What allocates, package allocations says; the code that counts, package emit makes. Here are, in an order in which
// each file needs only those before it:
//
//	options.go, result.go, method.go, counter.go, context.go    what goes in, and what comes out; metadata.go keeps it
//	rewriter.go, body.go, callsite.go                           a class and a method on their way
//	leaf.go, find_calls.go, constructors.go                     what a method calls, with contexts
//	plan.go, fallback.go                                        what is put into a method; what else to try
//	paths.go, ends.go, sums.go, graphless.go, executed.go,
//	hooks.go                                                    counters
//	tags.go                                                     objects that know their site
//	catch.go, catch_frame.go                                    corrections for exceptions
//	stackprobe.go, begin.go, enter.go                           what a method begins with; its context
//	phitable.go, place.go, instrument.go, rewrite.go            a method in one way, in the first that does, the class
//
// runtime.go makes the runtime classes for a JVM.
//
// The package starts no JVM, talks to none and writes no recording. A method that would become too long gets fewer
// counters than the placement asked for would have; one that cannot be rewritten stays as it was and is named; and
// the class goes on with the others.
package instrument
