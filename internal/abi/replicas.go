package abi

// Where copies are asked for, what is born is read once more in the same pause, and its contents are hashed; so is, in
// the pause behind, what has come through a first young collection, with the contents that it has by then. What that
// gives is sums by class and groups of equal contents, for each of the two; it is committed with the walk. The recorder
// adds up walks, and what it records are totals in the same form.
//
//abi:title Events of replicas
//abi:to c
const (
	EventReplicaSums   = EventFirst + 16 // kind: what was hashed, by class
	EventReplicaGroups = EventFirst + 17 // kind: objects whose contents are equal
	EventReplicaEnd    = EventFirst + 18 // kind: that was all
	EventReplicaValue  = EventFirst + 22 // kind: contents of a group, where they are asked for
	EventReplicaChosen = EventFirst + 23 // kind: behind the set's number patterns for classes, if not all are hashed
	EventReplicaIn     = EventFirst + 31 // kind: the same for methods whose objects are hashed
	EventReplicaClass  = EventFirst + 26 // kind: what a class's number stands for, in recordings
	EventReplicaGone   = EventFirst + 27 // kind: that was all of classes that have no number any more, in recordings

	EventReplicaLivedSums   = EventFirst + 32 // kind: what was hashed once more, as it had come through a collection
	EventReplicaLivedGroups = EventFirst + 33 // kind: objects of these whose contents are equal
)

// Behind the number there are rows of five numbers in LEB128: the class as in EventHeapClass; objects that were hashed,
// and their words of 8 bytes; objects that were not, since they refer to what has no identity; and the class's level.
//
// A class has level 0 at first. Where it has too many groups the level is raised: then groups are complete whose hash
// has as many low bits that are 0. Of others only those that have many objects are there, which may be some too few.
//
//abi:title What was hashed, by class
//abi:unit bytes
//abi:to c
const (
	ReplicaSumsSet  = 0 // 4 bytes: number of the walk; in recordings of the totals
	ReplicaSumsRows = 4 // the rows, up to the end
)

// Behind the number there are rows: the class, the objects, the words of each, in LEB128; then 8 bytes, the hash. A
// group may have several rows: they are to be added.
//
//abi:title Groups of equal contents
//abi:unit bytes
//abi:to c
const (
	ReplicaGroupsSet  = 0 // as in EventReplicaSums
	ReplicaGroupsRows = 4 // the rows, up to the end
)

// In recordings totals say what the numbers in them stand for: others may have these later (EventHeapGone). What is
// known of classes that lose theirs is a set of its own, which later ones do not have any more.
//
//abi:title What a class's number stands for
//abi:unit bytes
const (
	ReplicaClassSet    = 0  // number of the totals
	ReplicaClassNumber = 4  // 4 bytes: the class's, as in the other events of the set
	ReplicaClassTag    = 8  // 4 bytes: as in EventHeapClass
	ReplicaClassLoader = 12 // 4 bytes: as in EventHeapLoader; all bits 1: unknown
	ReplicaClassName   = 16 // as in EventHeapClass, up to the end
)

// The end of such a set.
//
//abi:title The end of classes that are gone
//abi:unit bytes
const (
	ReplicaGoneSet    = 0 // number of the totals
	ReplicaGoneEvents = 4 // 8 bytes: events of the set
	ReplicaGoneBytes  = 12
)

// Where contents are asked for (run --show-values), some of the groups with most objects of a class in a walk have an
// event with the contents of one object. Without that no contents are recorded.
//
// Contents are a value: a byte that says what it is, and what belongs to it. References lead to values, one deep, or as
// deep as contents are compared; behind that strings, boxes, classes and arrays of numbers have their contents, and
// other objects their identity. What there is no room for is left out, with a last byte that says so.
//
//abi:title Contents of a group
//abi:unit bytes
//abi:to c
const (
	ReplicaValueSet      = 0  // as in EventReplicaSums
	ReplicaValueClass    = 4  // 4 bytes
	ReplicaValueHash     = 8  // 8 bytes
	ReplicaValueContents = 16 // up to the end
)

// Bounds of contents.
//
//abi:title How much of contents is recorded
//abi:to c
const (
	ReplicaValues        = 3   // groups of a class
	ReplicaValueBytes    = 512 // of a group's contents
	ReplicaValueElements = 64  // of an array
	ReplicaValueName     = 100 // bytes of a name
)

// What a value is. Primitive values have the letter of their type, 'Z' to 'J', and their bytes, the lowest first.
//
//abi:title What a value is
//abi:to c
const (
	ValueNull     = 'n'
	ValueInstance = 'o' // the class's name, behind its length in LEB128; fields; ValueEnd
	ValueField    = 'f' // its name, and its value
	ValueEnd      = 'e'
	ValueArray    = 'a' // the letter of its type, 'L' for references; in LEB128 its length, how many elements; these
	ValueClass    = 'c' // a java.lang.Class: the name
	ValueObject   = 'i' // the class's name, and 4 bytes: the identity hash, 0 if it has none
	ValueCut      = 'x' // there was no room for more
)

// The end of what a walk, or a recording, has of replicas.
//
//abi:title The end of replicas
//abi:unit words
//abi:to c
const (
	ReplicaEndSet         = 0 // as in EventReplicaSums
	ReplicaEndEvents      = 1 // of sums and groups that it has; those that there was no room for too
	ReplicaEndNanoseconds = 2 // that hashing took
	ReplicaEndObjects     = 3 // that were hashed
	ReplicaEndWalks       = 4 // that were hashed
	ReplicaEndSkipped     = 5 // walks that were not, for the sake of the budget
	ReplicaEndIncomplete  = 6 // walks that had no room for all of their events
	ReplicaEndDepth       = 7 // to which contents were compared: 0 shallow
	ReplicaEndBudget      = 8 // nanoseconds for each pause; 0: no limit
	ReplicaEndWords       = 9
)

// Where objects are sampled, recordings have totals of that: stacks, each an event, rows of samples and pairs,
// contents, each an event, and an end.
//
//abi:title Events of sampled replicas
const (
	EventSampledStack = EventFirst + 19 // kind: a stack that makes or reads sampled objects
	EventSampledRows  = EventFirst + 20 // kind: samples and pairs
	EventSampledEnd   = EventFirst + 21 // kind: that was all
	EventSampledValue = EventFirst + 34 // kind: contents of what was equal, where they are asked for
	EventSampledWhole = EventFirst + 35 // kind: hashes of objects that were looked at whole
)

// Behind the number there are, each number in LEB128 and each text behind its length: the stack's number; the
// descriptor of what it makes, empty where it reads; how many frames; and for each, innermost first, class, method,
// descriptor and line, 0 unknown.
//
//abi:title A stack of sampled objects
//abi:unit bytes
const (
	SampledStackSet  = 0 // 4 bytes: number of the totals
	SampledStackRest = 4
)

// Behind the number there are rows of SampledNumbers numbers in LEB128.
//
//abi:title A row of samples and pairs
//abi:unit numbers
const (
	SampledMade      = 0 // the stack that made the objects
	SampledRead      = 1 // the stack that read them; 0: a row of samples
	SampledObjects   = 2 // objects that were watched; pairs that were compared
	SampledStandsFor = 3 // objects that those stand for; reads that the first of pairs stand for
	SampledBytes     = 4 // bytes of what they stand for; reads of pairs whose values were equal
	SampledEqual     = 5 // pairs whose values were equal
	SampledCopies    = 6 // of these, pairs that were equal whole
	SampledPartial   = 7 // and pairs that were not
	SampledNear      = 8 // pairs near each other
	SampledNearEqual = 9 // of these, pairs whose values were equal
	SampledNumbers   = 10
)

// Behind the number there are rows: the stack that made the objects in LEB128; how many were looked at whole, and had
// the same contents, in LEB128; 8 bytes, a hash of these.
//
//abi:title Objects that were looked at whole
//abi:unit bytes
const (
	SampledWholeSet  = 0 // 4 bytes: number of the totals
	SampledWholeRows = 4
)

// Where contents are asked for, pairs that were equal whole have an event for each contents of what a stack has made,
// as in EventReplicaValue. Without that no contents are recorded.
//
//abi:title Contents of what is sampled
//abi:unit bytes
const (
	SampledValueSet      = 0  // 4 bytes: number of the totals
	SampledValueMade     = 4  // 4 bytes: the stack that made the objects
	SampledValueHash     = 8  // 8 bytes
	SampledValuePairs    = 16 // 8 bytes: pairs that were equal and had these, at least
	SampledValueContents = 24 // up to the end
)

// The end.
//
//abi:title The end of sampled replicas
//abi:unit words
const (
	SampledEndSet    = 0
	SampledEndEvents = 1 // of stacks, rows and contents
	SampledEndLost   = 2 // messages that there was no room for
	SampledEndWords  = 3
)

// Levels of classes.
//
//abi:title Levels of classes that have many groups
//abi:to c
const (
	ReplicaLevels   = 40      // there are those below
	ReplicaDistinct = 1 << 12 // groups of a class in one walk, beyond which its level is raised
	ReplicaFrequent = 16      // objects in one walk with which a group is there that is not complete
	// for which groups compete that are not complete: one that has more than twice its share of objects wins
	ReplicaPlaces = 1 << 12
)
