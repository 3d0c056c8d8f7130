// Package calltree is the memory of calling contexts, which the threads of a JVM fill and the recorder reads: for each
// thread a tree of nodes, as the JP paper's method call trees (section 3) are.
//
// A node stands for a chain of calls. It is made of 64-bit words:
//
//	0        number of the innermost method
//	1        what enters the node: the caller's node, and above bit 44 the caller's word that leads here
//	2        the next node of the same slot
//	3        how often it was entered
//	4 ...    slots, one for each call in the method: the node of the last callee
//	... end  the method's counters
//
// Instrumented code says by which slot it calls, and the callee finds its own node there, or makes it
// (java.lang.$MallardTree.enter). That holds only where the callee is what the call names. Where it is not (native code
// calls, or the VM does, to initialise a class or to make an exception), the recorder is asked with the thread's stack,
// and [Arena.Resolve] finds the node that belongs to it.
//
// Where contexts are hashed an invocation has no node but a hash of its context, and there are nodes only of contexts
// in which something was counted, and of their callers. The slots are the same. A thread has a table from hashes to
// nodes; for what it cannot find out itself, [Arena.ResolveHash] takes the hash apart along the stack, and says for
// which hashes the answer holds again.
//
// Where they are encoded it has a number, from which the chain of calls is found again, by the threads themselves: see
// code.go. The arena has the constants of calls and the graph of each epoch besides; the recorder, who chooses them,
// begins an epoch with [Arena.BeginEpoch].
//
// The arena is mapped by the program as well. A tree is read while its thread is stopped, has ended, or waits for an
// answer; counters at any time.
//
// Some algorithms are here and in the runtime classes or the agent. For what a stack means this package is the
// reference: [Arena.Resolve], [Arena.ResolveHash], [Arena.ResolveCode] and [Arena.Mirror] find the node of any stack,
// where agent/hashes.c, $MallardDecoder and $MallardEntered find the same node of those that they can tell, and ask
// about the others. For what a thread does to its own memory the runtime classes are the reference: the step of a hash
// and the place in a table ($MallardHash, $MallardTable), making a node and taking memory for it ($MallardTree), which
// this package does as they do while the thread waits, and agent/hashes.c in the thread. The layouts of both are in
// package abi.
//
// The package knows nothing of class files, of recordings, and of what counters mean.
package calltree
