package abi

// A thread counter block is an array of 64-bit words that one thread writes, and the recorder reads while it does.
// The first words belong to the runtime classes; from FirstCounter on the word's number is that of a class's
// counter. Where contexts are recorded the upper half has the nodes of all contexts that there was no memory for
// (overflow nodes), one for each method.
//
// Words 4 to 17, and WordSpans, are the thread's tree of contexts. The recorder writes them too, while the thread waits
// for an answer or has ended.
//
//abi:title Words of a thread counter block
//abi:unit words of 8 bytes
//abi:to c java
const (
	// of an array that code which does not count has announced, and that the caller has not counted yet, the length and
	// 1, in the lower half; of several, how many, negative
	WordDeferred = iota
	_            // their elements
	_            // their bytes
	// 1 while what the next method handle of a constructor makes is made for reflection, whose caller counts it
	WordReflected
	WordNext       // in the early time, by what the next method is entered; later that is a field of the thread
	WordFree       // offset of what is left of the thread's last chunk of nodes, or span
	WordEnd        // offset of that chunk's end, or span's
	WordChunk      // offset of the last chunk
	WordOutermost  // by what is entered what the VM calls; 0 before the thread's first node
	WordTransition // 1 while JVMTI does not tell the stack: a virtual thread is being mounted or unmounted
	WordCalled     // in the early time, the announcement of the call; later that is a field of the thread
	WordTable      // the thread's table from hashes or numbers to nodes
	WordHashes     // how many are in it
	WordLearned    // how many pairs the recorder has put in front of it
	// which turn of the block's tree it is: one ends with its thread; contexts are numbered by their nodes and turns
	WordTurn
	WordOwnBytes // in the primordial block, bytes that the runtime classes allocated in the Java heap
	// the node of the innermost transaction that one of the thread's invocations has begun, 0 for none
	WordTransaction
	WordInside // the node of the innermost transaction that the thread has entered, 0 for none
	WordChains // how many builders have made Strings by executing toString
	WordRan    // 1 if a method that compilers replace has executed since somebody looked
	// the first counter of the innermost call of a method handle, or by reflection; the recorder makes it zero when
	// counters are given back
	WordCaller
	// in the overflow block, how many times counters of unloaded classes were given back; the recorder writes it
	WordGivenBack
	WordTags  // in the overflow block, the last tag that was given to a site in a context
	WordSpans // offset of the first span of the thread's memory that nodes have had before; 0 for none
	// 1 where the thread is to ask the recorder, which gives its tree memory that nodes of unloaded classes have; the
	// recorder's
	WordReclaim
	// in a virtual thread's block, the address of the first counter of what its stack is put into, if it stops while it
	// yields
	WordStops
	// the number of the site that is about to make a builder of which nothing else may know, 0 for none
	WordBuilder
)

// A thread remembers which counters the objects have that a call makes, by the number of the call's first counter and
// that of the class of the object (a field of java.lang.Class): a table of sets of two entries, of two words each. The
// thread writes it, and the recorder makes it zero when counters are given back. An entry of which one word is zero is
// none.
//
//abi:title Words of a thread counter block for the classes of what calls make
//abi:unit words of 8 bytes
//abi:to java
const (
	// the first entry: the class's number in the upper half, in the lower one the call's counter; then the counter that
	// is found
	WordMade     = 32
	MadeSets     = 128 // a power of two
	MadeSetWords = 4   // two entries
)

// Where snapshots are taken every so many bytecodes.
//
//abi:title Words of a thread counter block for snapshots by bytecodes
//abi:unit words of 8 bytes
//abi:to java
const (
	WordExecuted = WordMade - 2 // bytecodes that the thread has executed in classes of the program
	// how many it will have executed at its next snapshot; 0 before it has executed any
	WordNextSnapshot = WordMade - 1
)

// Arrays have three counters side by side: how many they are, their elements, their bytes. Objects whose size is not
// known have elements and bytes alone.
//
//abi:title Counters side by side
//abi:unit bytes from the first
//abi:to java
const (
	ArraysElements = 8  // of arrays: their elements
	ArraysBytes    = 16 // of arrays: their bytes
	ArraysNext     = 24 // the next three
	ObjectBytes    = 8  // of objects: their bytes, behind the elements
	// of objects of a class: those that paths have counted as of the type of their call's site
	ObjectMoved = 16
)

// FirstCounter is the first word that is a class's counter.
//
//abi:title Counters of classes
//abi:unit words of 8 bytes
//abi:to c java
const FirstCounter = WordMade + MadeSets*MadeSetWords
