// Package cfg is the control flow graph of one method: basic blocks, the edges
// control takes between them, the exception edges to handlers, dominators,
// loops, and an estimate of how often everything runs.
//
// It knows nothing about what is counted; package placement does that. The
// graph itself is plain data that can be built without bytecode (New); Build
// makes it from the code of a method.
//
// One virtual block, the last one, is the exit: every return instruction has a
// Return edge to it, every athrow a Throw edge. The first block is the entry.
//
// Some points of a method are forced zeros: nothing may be owed there, because
// control can leave in a way no edge shows or because no code can be placed
// (see zero.go). They are block boundaries, and their blocks have Zero set.
//
//	static Object f(boolean b) {        b0 [0,2)  ifeq          zero freq 1
//	    Object o = null;                    fallthrough b1 0.5
//	    if (b) o = new Object();            taken b2 0.5
//	    return o;                       b1 [2,5)  new           freq 0.5
//	}                                       fallthrough b2 0.5
//	                                    b2 [5,6)  areturn       freq 1
//	                                        return exit 1
//	                                    exit
package cfg
