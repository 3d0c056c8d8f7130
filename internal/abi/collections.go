package abi

// EventCollection is a pause of the collector's, or what JVMTI takes for one: 64-bit words, as they were when the
// world ran again. Counters are the JVM's performance counters. What is unknown is 0.
//
//abi:title An event of a collection
//abi:unit words
//abi:to c
const (
	CollectionStart     = 0  // when the world had stopped, nanoseconds since the recording began
	CollectionFinish    = 1  // when it was about to run again
	CollectionID        = 2  // the number in the JVM's log, while it is being collected; 2^32-1 where there is none
	CollectionBegun     = 3  // collections done before, by the counters of all collectors
	CollectionBefore    = 4  // bytes used
	CollectionAfter     = 5  // bytes used, by what was allocated right after the collection as well
	CollectionCounted   = 6  // bytes used, by the counters of spaces, which say it at the collection's end
	CollectionFreed     = 7  // old regions of G1's that were given back
	CollectionPromoted  = 8  // bytes, of Parallel's last young collection
	CollectionSurvived  = 9  // the same
	CollectionOldBefore = 10 // bytes used in Parallel's old generation
	// of each collector that has counters (sun.gc.collector.N): how many collections it did in the pause, the
	// nanoseconds that they took, and when the last of them began and ended, by the JVM's clock
	CollectionCollector = 11
	CollectionCause     = 23 // 5 words, text: why the JVM collects, as its counter has it
	CollectionLastCause = 28 // the same of what it collected last
	CollectionWords     = 33
	CollectionBriefly   = CollectionCollector // words that there are at level 1
)

// Numbers of collections' events.
//
//abi:title Collections
//abi:to c
const (
	EventCollection = EventFirst // kind

	CollectionCollectors     = 3 // with counters, at most
	CollectionCollectorWords = 4 // of each
	CollectionCauseWords     = 5
)
