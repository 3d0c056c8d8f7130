// Package emit makes the code that instrumented methods have put into them: straight-line code that calls a method of a
// runtime class. It does not choose where code goes; package instrument asks for it and inserts it:
//
//	new java/lang/Object
//	ldc 7                                counter 7 of this class; the recorder adds that of its first
//	invokestatic java/lang/$MallardObjects.count (I)V
//	dup
//	invokespecial java/lang/Object.<init> ()V
//
// A [Class] has the constants and numbers of a class; a [Method] answers what the rewriting of a method asks for:
// count a site ([Method.Count]), count an array ([Method.Array], [Method.MultiArray]), count what a call made
// ([Method.Made]), add bytecodes ([Method.AddBytecodes]), ask for stack ([Method.Probe]), and what a [Backend] does.
// Where a method counts, and how it knows its context, differs: each way is a Backend, in a file of its own.
//
//	threads.go    no contexts: counters are the thread's; with an agent or without
//	agent.go      what the next three have in common: a number in a local variable, counters in a node of memory
//	tree.go       the number is a node of the thread's tree
//	hashed.go     it is a hash of the context
//	encoded.go    it is the encoding of the context
//	agentless.go  nodes are objects; nothing but Java code is there
//
// What else the driver has to know of a backend is in its [Traits]; it never asks which backend it has.
//
// # Another observer's code
//
// Code that an observer wants at a place the driver knows already is one more method of [Method], and its callee one
// more line of runtimeMethods (runtime.go). To store a tag into the header of each new object, say, it would be
// Method.Tag(site), which is inserted where plan.sums and plan.behind of package instrument insert what stands behind
// an allocation, and a trait or an option says whether it is asked for. Placement, corrections and the other backends
// do not change, unless the code depends on where a method counts; then it is a method of [Backend].
package emit
