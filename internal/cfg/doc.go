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
// Some points of a method are forced zeros: φ must be zero there, because
// control can leave in a way no edge shows or because no code can be placed
// (see zero.go). They are block boundaries, and their blocks have Zero set.
//
//	static Object either(boolean b) {
//	    Object o = null;                b0 [0,4) freq 1 zero: aconst_null astore_1 iload_0 ifeq
//	    if (b)                              -> b1 fallthrough 0.5
//	                                        -> b2 taken 0.5
//	        o = new Object();           b1 [4,8) freq 0.5 idom b0: new dup invokespecial astore_1
//	                                        -> b2 fallthrough 0.5
//	    return o;                       b2 [8,10) freq 1 idom b0: aload_1 areturn
//	}                                       -> exit return 1
//	                                    exit
package cfg
