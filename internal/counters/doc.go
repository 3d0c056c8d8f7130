// Package counters is what the threads of a JVM have counted: the memory in which they count, while they do, the
// numbers of the counters in it, and what has been written of them.
//
//	thread counter blocks ──[Memory.Read]──▶ [Threads.Snapshot] ──▶ recording (Snapshot)
//	                                                            ──▶ [Totals], by which classes adapt
//
// A thread's counters are its block: a part of one sparse file without a name, of which only what is written to is
// resident. The file outlives the JVM, so the last values are there even if it was killed. Counter numbers are given to
// classes by a [Space], and again when the classes are unloaded.
//
// Reading all blocks takes milliseconds, so what reads them runs in one goroutine of its own, a [Loop], and holds no
// lock meanwhile. Space and Totals may be used by any goroutine; their locks are held for moments.
package counters
