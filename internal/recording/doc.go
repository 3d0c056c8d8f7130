// Package recording writes the recording of one JVM: a queue that keeps nobody waiting, and the one goroutine that
// takes records from it, encodes them and writes the file.
//
//	classes, threads, snapshots ──Put──▶ queue ──one goroutine──▶ trace.Writer ──▶ file
//
// Whoever puts a record into the queue waits neither for compression nor for a disk; snapshots alone wait for room.
// Where the disk cannot follow, detail is given up in this order, and each is a loss that the recording states:
//
//  1. Snapshots are left out ([Recording.Behind]): counts are totals, so a later one says the same with less detail in
//     time.
//  2. Records are dropped when the queue takes [maxQueue] bytes. By then it holds definitions alone.
//
// A record must not change once it is put. The package knows nothing about where records come from.
package recording
