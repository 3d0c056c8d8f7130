// Package callenc encodes calling contexts as numbers, from which the calls are found again later: a context is a
// chain of calls, from a thread's first method on, and its number is a sum of constants of the calls.
//
//	main → f, f → g at 3, f → g at 7:    main f(3) g is 0, main f(7) g is 1
//
// There are two encodings. [Reference] is Algorithm 1 of the Lucce paper, slowly and for small graphs only: its tests
// prove the paper's theorem by example, refute it where methods call themselves, and show why no product can be built
// on it. [Encoder] is the stable form: the graph and its constants are fixed for an epoch, and where a call has no
// constant the number starts again behind an anchor, which stands for the chain so far.
//
// The package knows nothing of bytecode and JVMs. The Encoder is a model; what chooses its constants, [NewEpoch], is
// what `run --contexts encoded` uses, and java.lang.$MallardCode does in threads what the model does in goroutines.
package callenc

// Method is a node of the call graph. Root is what calls the first method of each thread.
type Method uint32

// Root is no method.
const Root Method = 0

// Edge is a call: a method calls another at one of its places.
type Edge struct {
	Caller, Callee Method
	Site           int32 // which of the calls in Caller, or Unannounced
}

// Unannounced is the Site of calls that no instrumented code makes: native code, the JVM.
const Unannounced = -1
