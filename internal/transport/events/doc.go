// Package events carries facts that arise while the world is stopped from the agent to the recorder: rings in shared
// memory, one producer each (agent/events.h), and the reader of all of them, here.
//
//	GC thread ── event_begin … event_end, event_commit ──▶ ring 0 ─┐
//	GC thread ── …                                     ──▶ ring 1 ─┼─▶ Reader ─▶ the handler of the record's kind
//	VM thread ── …                                     ──▶ ring 2 ─┘
//
// A producer takes no lock, waits for nothing and allocates nothing, so that it may be a callback of garbage
// collection. What a full ring has no room for is left out and counted, and the producer goes on; a record in the
// ring says later what was lost, how many, and from when to when (Loss). At the start of each collection the
// producer also chooses how much to record: one level less if records were left out, or half of the ring is unread;
// one more after 16 collections in a row that found less than a quarter unread. What the levels mean is the
// observer's to say, and each change is such a record, too.
//
// The reader sleeps until a quarter of a ring is unread, and a second at most. It checks all that it reads: the
// JVM's process may be damaged or hostile, and a ring that is not as it should be is given up, with a Loss that says
// why. A JVM that is killed leaves what it had committed.
//
// The rings are one memory file that the agent makes and the recorder lays out and seals. It is address space, and
// takes memory where it was written to: a page of 4 KB for each ring, and of the data what was in use at the same
// time, or all if it ever went around.
//
// The package knows nothing about what records contain.
package events
