// Package contexts observes in which chain of calls a program allocates: the trees of calling contexts that threads
// fill in shared memory, the methods in them, what they are asked about, and their records.
//
//	class ──[Contexts.Number], [Contexts.Define]──▶ methods in the arena
//	thread ──Resolve, with its stack──▶ [Contexts.Handle] ──▶ node
//	arena ──[Contexts.Snapshot]──▶ recording (Contexts, ContextCounts)
//
// Package calltree is the memory itself. What a program counts in contexts it counts nowhere else; where there is no
// memory for a context, its counts are in a node of the thread's block that all such contexts of a method share.
package contexts
