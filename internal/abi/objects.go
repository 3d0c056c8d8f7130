package abi

// At the start of each pause the agent reads what is new in the heap since the last one: a walk. Each class, space and
// age has the objects and bytes found there. What a walk finds is committed together, and ends with EventHeapWalk.
//
//abi:title Events of the heap
//abi:to c
const (
	EventHeapClass   = EventFirst + 1  // kind: a class that walks name by its number
	EventHeapRows    = EventFirst + 2  // kind: objects in one place, by class
	EventHeapWalk    = EventFirst + 3  // kind: the end of a walk
	EventHeapFinish  = EventFirst + 4  // kind: what has become of the heap when the world was about to run again
	EventHeapImplied = EventFirst + 15 // kind: a class whose site gives no tags, since the last walk or later
	EventHeapLoader  = EventFirst + 7  // kind: the loader of a class
	EventHeapGone    = EventFirst + 25 // kind: numbers that are no class's any more
)

// An EventHeapClass comes before the rows that have its number. The name is the JVM's: java/lang/String, [I. Objects of
// one class with different tags have numbers of their own.
//
//abi:title A class of objects in the heap
//abi:unit bytes
//abi:to c
const (
	HeapClassNumber = 0  // 4 bytes
	HeapClassBytes  = 4  // 4 bytes: of an object; 0 where they differ
	HeapClassTag    = 8  // 4 bytes: of these objects; 0: they have none
	HeapClassSame   = 12 // 4 bytes: the number of a class that has the same name, and was named; 0: the name follows
	HeapClassName   = 16 // the name, up to the end
)

// An EventHeapLoader comes before the EventHeapClass of a class that has a name there; those that have the same name by
// HeapClassSame have the same loader. There is none where the loader is not known, and in older recordings.
//
//abi:title The loader of a class of objects in the heap
//abi:unit bytes
//abi:to c
const (
	HeapLoaderClass  = 0 // 4 bytes: its number
	HeapLoaderNumber = 4 // 4 bytes: as other records have it, 0: the boot loader
	HeapLoaderBytes  = 8
)

// An EventHeapGone has numbers that classes had in walks before: no object of theirs was met since, so that others may
// have them. Objects that were not met, since no collection looked at them, are told with another number from then on.
//
//abi:title Numbers of classes of objects in the heap that are given again
//abi:unit bytes
//abi:to c
const (
	HeapGoneNumbers = 0 // 4 bytes each, up to the end
)

// An EventHeapImplied has the number of a class with a tag, of one site. Of the classes of that name and loader what is
// born without a tag is of this one from this walk on: the agent gives it the tag.
//
//abi:title A site that gives no tags
//abi:unit bytes
//abi:to c
const (
	HeapImpliedClass = 0 // 4 bytes
	HeapImpliedBytes = 4
)

// A tag is the number of the site that made an object, in the highest bits of its header, which HotSpot does not use
// (markWord.hpp). Sites have those of counters: the first of a version of a class has that of its first counter, the
// others follow. With contexts a site has one in each, which the thread takes that makes the first object there: it is
// in a word of the node, with its turn.
//
//abi:title Tags of objects
//abi:to c java
const (
	TagShift  = 42                   // from this bit of the header on
	TagOthers = 1<<(64-TagShift) - 1 // sites whose numbers are not lower than TagNone
	TagNone   = TagOthers - 1        // none is known, and others of the class may lose theirs
	// from this bit of a tag on, in recordings, its turn: how many classes had the number before, or threads
	TagTurnShift = 64 - TagShift
	LastTagTurn  = 1<<8 - 1 // then a tag is given no more
	HeaderNew    = 1        // the header of an object that nobody has locked, asked for its hash, or moved
	HeaderLock   = 7        // bits of a header: HeaderNew where it is not elsewhere, and not biased
)

// Numbers of classes that have no event.
//
//abi:title Classes of objects in the heap without a name
//abi:to c
const (
	HeapOthers     = 0       // all that there were no numbers for
	HeapUnused     = 1       // no class: the rest of the last region that a humongous object is in
	HeapFirstClass = 2       // all others from here on
	HeapClasses    = 1 << 20 // there are numbers below; others are HeapOthers
)

// Rows behind the header are three numbers each, in LEB128: the class, objects, words of 8 bytes.
//
//abi:title Objects in one place of the heap
//abi:unit bytes
//abi:to c
const (
	HeapRowsWalk   = 0  // 4 bytes: number of the walk
	HeapRowsSpace  = 4  // 4 bytes: HeapEden, ...
	HeapRowsOrigin = 8  // 4 bytes: HeapBorn, ...
	HeapRowsAge    = 12 // 4 bytes: young collections that they have come through, in survivor spaces
	HeapRowsRegion = 16 // 4 bytes: of G1's, where they are old or humongous; else 0
	HeapRowsRows   = 20 // the rows, up to the end
)

// Where objects are, and since when.
//
//abi:title Spaces and origins of objects in the heap
//abi:to c
const (
	HeapEden      = 0
	HeapSurvivor  = 1
	HeapOld       = 2
	HeapHumongous = 3
	HeapSpaces    = 4
	HeapAges      = 16 // a header has room for 0 to 15

	HeapBorn  = 0 // allocated there since the last walk
	HeapMoved = 1 // put there by the collector since the last walk
)

// EventHeapWalk has what the VM says of its spaces, for comparison.
//
//abi:title The end of a walk
//abi:unit words
//abi:to c
const (
	HeapWalkNumber      = 0  // walks before it
	HeapWalkStart       = 1  // nanoseconds since the recording began
	HeapWalkNanoseconds = 2  // that it took
	HeapWalkObjects     = 3  // read
	HeapWalkRows        = 4  // events of rows that it has; those left out too
	HeapWalkCollection  = 5  // number in the JVM's log, of the pause's first collection; 2^32-1: none, as at the end
	HeapWalkUsed        = 6  // bytes used, by space
	HeapWalkUnused      = 10 // of these, bytes at the ends of threads' allocation buffers
	HeapWalkUnread      = 11 // of these, bytes that could not be read
	HeapWalkLast        = 12 // 1 at the JVM's end
	// 1: since the last pause a full collection came that the JVM has not announced, so that what was born before it is
	// not known: all that is left was read anew
	HeapWalkUnseen  = 13
	HeapWalkEarlier = 14 // words of recordings without what follows
	HeapWalkEarly   = 14 // bytes of eden that were read while the program ran
	// words of recordings with that, and without what follows
	HeapWalkWithEarly = 15
	// G1's regions that are not free, or other collectors' spaces; in how many of them what was read is not each byte
	// that is used, once (a humongous object's are all in the first one); by how many bytes that is more or less
	HeapWalkRegions      = 15
	HeapWalkOtherRegions = 16
	HeapWalkOtherBytes   = 17
	// of threads' allocation buffers those with objects; in how many objects do not go from their start to what is free
	HeapWalkBuffers      = 18
	HeapWalkOtherBuffers = 19
	HeapWalkWords        = 20
)

// EventHeapFinish lists G1's regions that were old or humongous and are free now: what was there is dead, or was moved
// from there.
//
//abi:title The end of a pause
//abi:unit words
//abi:to c
const (
	HeapFinishWalk      = 0 // number of the walk at the pause's start
	HeapFinishTime      = 1 // nanoseconds since the recording began
	HeapFinishCollected = 2 // HeapNothing, ...
	HeapFinishFreed     = 3 // regions, one behind the other, up to the end
)

// What a pause has collected.
//
//abi:title What a pause has collected
//abi:to c
const (
	HeapNothing    = 0 // of the young objects; old regions may be free
	HeapYoung      = 1 // eden and survivors: the next walk finds those that live, and those that are old now
	HeapEverything = 2 // the next walk finds all that is left, as moved
)
