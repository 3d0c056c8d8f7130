package abi

// With references the agent follows, every so often and at the JVM's end in the pause of the last walk, what roots lead
// to: each object that there is a way to, and what it refers to. What an event needs comes before it, and behind the
// EventHeapGraphBegin of the same moment.
//
//abi:title Events of references
//abi:to c
const (
	EventHeapShape   = EventFirst + 8  // kind: what objects of a class refer to
	EventHeapMirror  = EventFirst + 9  // kind: the static fields of a class
	EventHeapRoot    = EventFirst + 10 // kind: what keeps an object alive that no object refers to
	EventHeapObjects = EventFirst + 11 // kind: objects, with all that they refer to
	EventHeapGraph   = EventFirst + 12 // kind: the end
	EventHeapName    = EventFirst + 13 // kind: name of a method or a thread that roots have
	EventHeapOwner   = EventFirst + 14 // kind: the loader of a java.lang.Class
	// kind: the beginning, with a word of 8 bytes: nanoseconds since the recording began. Recordings of older versions
	// have none
	EventHeapGraphBegin = EventFirst + 24
)

// An EventHeapShape is for objects of a class, by its number (EventHeapClass). Behind the header are slots in the order
// in which objects have them: a byte HeapStrong, ..., a byte with the length of the field's name, and the name, which
// is empty where the VM has it for itself.
//
//abi:title What objects of a class refer to
//abi:unit bytes
//abi:to c
const (
	HeapShapeNumber = 0  // 4 bytes: of the class
	HeapShapeForm   = 4  // 4 bytes: HeapInstance, ...
	HeapShapeBytes  = 8  // 4 bytes: of an object; in front of an array's elements; 0 where they differ
	HeapShapeShift  = 12 // 4 bytes: an element's bytes, as a power of two
	HeapShapeMirror = 16 // 8 bytes: address of the class's java.lang.Class; 0: unknown
	HeapShapeSlots  = 24 // the slots, up to the end
)

// How objects of a class are written, and what a slot is.
//
//abi:title Forms of objects, and of what they refer to
//abi:to c
const (
	HeapInstance   = 0 // all have the same size
	HeapReferences = 1 // arrays of references
	HeapValues     = 2 // arrays without
	HeapClassForm  = 3 // java.lang.Class
	// those whose size differs, as of stacks of virtual threads, in which nothing is read, and those of more fields
	// than a shape has room for
	HeapVarying = 4
	// as those of another number, which is in place of HeapShapeBytes: the same class with another tag
	HeapSame = 5

	HeapStrong    = 0
	HeapSoft      = 1 // cleared where memory is short
	HeapFinalizer = 2 // of what is to be finalized
)

// An EventHeapMirror has the name of the class, as the JVM has it, and behind it the static fields as slots.
//
//abi:title The static fields of a class
//abi:unit bytes
//abi:to c
const (
	HeapMirrorAddress = 0  // 8 bytes: of the java.lang.Class
	HeapMirrorName    = 8  // 4 bytes: of the name
	HeapMirrorText    = 12 // the name, and slots up to the end
)

// An EventHeapOwner comes before the EventHeapMirror of the same java.lang.Class, where the loader is known.
//
//abi:title The loader of a java.lang.Class
//abi:unit bytes
//abi:to c
const (
	HeapOwnerAddress = 0 // 8 bytes: of the java.lang.Class
	HeapOwnerNumber  = 8 // 8 bytes: of the loader, 0: the boot loader
	HeapOwnerBytes   = 16
)

// A java.lang.Class has these slots behind its own and those of static fields.
//
//abi:title What else keeps objects of a class alive
//abi:to c
const (
	HeapMirrorArrays    = 0 // the class of arrays of it
	HeapMirrorConstants = 1 // the array of what its constants stand for
	HeapMirrorSuper     = 2
	HeapMirrorSlots     = 3
)

// An EventHeapRoot ends behind the kind where that is all that is known.
//
//abi:title Roots
//abi:unit bytes
//abi:to c
const (
	HeapRootAddress = 0  // 8 bytes: of the object
	HeapRootKind    = 8  // 4 bytes: as JVMTI numbers kinds of references (jvmtiHeapReferenceKind)
	HeapRootSlot    = 12 // 4 bytes: of a local variable
	HeapRootThread  = 16 // 8 bytes: its number in Java
	HeapRootMethod  = 24 // 8 bytes: any number, but the same each time
	HeapRootBytes   = 32
)

// An EventHeapObjects has objects in the order of their addresses, one event after the other, in numbers in LEB128:
//
//	2 × class, + 1 where a gap follows
//	the words of 8 bytes between the one before, which the first has not, and this one, where there are some
//	of arrays: the length
//	of java.lang.Class: words, then how many static fields it has
//	of HeapVarying, and of class HeapOthers: words, then how many slots
//	each slot, or element: 0 for null, else 1 + the way in words from the object, positive ones as 2n, others as -2n-1
//
// An object that does not fit goes on in the next event, which has its address and the number of slots that have been,
// and begins with the next slot.
//
//abi:title Objects, and what they refer to
//abi:unit bytes
//abi:to c
const (
	HeapObjectsAddress = 0  // 8 bytes: of the first object
	HeapObjectsSlot    = 8  // 8 bytes: slots of it that have been; 0: it begins here
	HeapObjectsList    = 16 // numbers, up to the end
)

// EventHeapGraph says that all has been written.
//
//abi:title The end of references
//abi:unit words
//abi:to c
const (
	HeapGraphStart       = 0 // nanoseconds since the recording began
	HeapGraphNanoseconds = 1 // of the pause; of these,
	HeapGraphFollowing   = 2 // to follow references
	HeapGraphWaiting     = 3 // to wait for the recorder
	HeapGraphObjects     = 4 // that there is a way to
	HeapGraphWritten     = 5 // of these, in events
	HeapGraphRoots       = 6
	HeapGraphUnread      = 7 // references that lead to no place in the heap
	HeapGraphWords       = 8
)

// An EventHeapName is of what EventHeapRoot has as a number.
//
//abi:title Names in roots
//abi:unit bytes
//abi:to c
const (
	HeapNameKind   = 0  // 8 bytes: HeapNameMethod, ...
	HeapNameNumber = 8  // 8 bytes
	HeapNameText   = 16 // up to the end; of a method: java/lang/String.length

	HeapNameMethod = 0
	HeapNameThread = 1
)
