// Package allocations finds what the methods of a class allocate: with an allocation bytecode, or by a call of a
// method that allocates on the caller's behalf and may do so without one, because the VM or a compiler does it, or the
// JDK's own code that runs for many.
//
//	0: new java/lang/StringBuilder            Instance   java/lang/StringBuilder
//	...
//	9: bipush 10
//	11: newarray int                          ArrayConst [I, 10 elements
//	14: invokestatic java/util/Arrays.copyOf  ArrayLen   [Ljava/lang/Object;, or what the code casts it to
//
// A [Finder] gives the [Allocation]s of a method and their [Site]s. The package puts no code in: package emit makes the
// code that counts what a [Call] made, and package instrument says where it goes.
//
//	site.go        a site, and how its objects get their size
//	allocation.go  an instruction that allocates; what a call can make
//	find.go        the allocations of a method
//	array.go       types of arrays
//	length.go      arrays of constant length
//	follow.go      new objects on the operand stack, up to their constructors
//	chains.go      builders of strings that C2 replaces together with what is appended to them
//	calls.go       which constants of a class are called and allocate
//	methods.go     the table of methods whose calls are counted
//	dynamic.go     invokedynamic: lambdas, concatenated strings, records
//	clone.go       calls of clone
//	made.go        of which types it is what a call makes
//	callers.go     classes that make things for those who call method handles, or call by reflection
//	bodies.go      what is not counted where it is made, because it is counted at the call
//
// # What more there is
//
// A method whose body a compiler replaces by code that allocates is one more row in methods.go, and, where its body has
// an allocation bytecode, one more case in bodies.go. If the code that counts it has to know more than what is on the
// stack, it has a Call of its own, and its code in emit.Method.Made.
//
// Instructions that a compiler replaces all together, as C2 does with a StringBuilder and what is appended to it, are
// found by a file of their own, chains.go; what they make is an Allocation at the last of them.
//
// That the type of what a call made is known only when it has been made is a Kind of its own.
package allocations
