// Package classes knows the classes of a JVM: it has them instrumented, or takes them out of the class cache, gives
// them numbers, records what they count, and remembers their versions until they are unloaded.
//
//	class bytes ──[Table.Load]──▶ class cache, or instrument ──▶ ClassDef in the recording ──▶ answer to the JVM
//	            ◀──────────────────────────────────────────────────────────────────────────────
//	counters ──[Table.Hot]──▶ package adapt ──▶ classes to retransform ──▶ Load again, as a new version
//
// A class is in the recording's queue before the JVM gets its new bytes, so whatever it counts comes later. What can
// wait, because the next class must not, is done after the answer ([Answer.After]) or by the goroutine of the [Cache].
// The Table's lock is held for moments, never over I/O.
package classes
