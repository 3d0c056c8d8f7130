package allocations

// An Allocation is an instruction that allocates, and where its sites are in the list that comes with it.
type Allocation struct {
	At      int // instruction
	First   int // its first site; the others follow
	Levels  int // how many sites: more than 1 for multianewarray, and for calls that make things of several types
	Made    Call
	Builder Builder
	Begun   int   // of EndsChain: the site of the builder
	Inside  []int // of Chained: see [Chain]
}

// OnPaths reports whether each execution makes just one object of the first site, so that paths can stand for it.
func (a Allocation) OnPaths(sites []Site) bool {
	return sites[a.First].Kind != Multi && a.Made != TakesBytes && a.Made != TakesStrings && a.Made != EndsChain &&
		a.Made != CountsChain && a.Made != MakesTable
}

// CountedBehind reports whether code right behind an allocation on paths counts it in any case.
func (a Allocation) CountedBehind(sites []Site) bool {
	return sites[a.First].Kind == ArrayLen || a.Builder == Loose || a.Made == MakesString
}

// IsByClass reports whether the object of the first site may be of another class than that site says.
func (a Allocation) IsByClass(sites []Site) bool {
	switch a.Made {
	case MakesClone:
		return ElementShift(sites[a.First].Type[1:]) < 0
	case MayClone, MaySuperClone, MakesArray, MakesObject, MakesHandled, MakesNested, MakesForCaller, MakesBox,
		MakesInvoked:
		return true
	}
	return false
}

// A Builder says what has to be minded of a new builder of strings. C2 replaces all that is done with one, from new to
// toString, by code that makes a String and its array, unless something is stored in between.
type Builder uint8

const (
	NoBuilder Builder = iota
	Chained           // it is in a [Chain], whose ends know whether C2 has replaced it: nothing is stored behind it
	Loose             // nobody knows where it ends: a counter is stored behind it, so that C2 leaves it alone
)

// A Call says what a call leaves on the stack that is new.
type Call uint8

const (
	NoCall         Call = iota
	MakesClone          // an array of the class that the call names
	MayClone            // an object, if its class inherits clone from Object: who overrides it calls it
	MaySuperClone       // an object, if the class that the call names does
	MakesArray          // an array of references
	MakesObject         // anything; the VM knows its size
	MakesLambda         // an object of a hidden class
	MakesHandled        // an object, unless the caller of the method handle counts it
	MakesNested         // an array of arrays, all levels new
	MakesBacktrace      // a Throwable's record of the stack
	MakesMembers        // an array of what reflection has of a class, and what that refers to
	MakesReturned       // what native code returns: a String, an array, an access context, with what these have
	MakesString         // a String, and its byte[] unless it shares another's: a method has left that to its caller
	MakesOwnString      // a String and its byte[]: where nobody can defer
	CopiesString        // a String that shares its byte[]; told apart there
	TakesBytes          // byte[] that a method has left to be counted by its caller
	TakesStrings        // the same, each of them in a String
	MakesForCaller      // an object, which who called a method handle counts, if that is known
	MakesBox            // a box, if the array below the result, which was got from, is none of references
	MakesInvoked        // what native code made that called a method by reflection, and what that makes for its caller
	CallsHandle         // nothing, but what it calls may make objects for its caller
	NamesClass          // nothing, but the JVM makes the name that this has if the JVM asks a class loader
	LinksConcat         // a call site that nobody knows, whose strings its callers count
	LinksRecord         // one whose strings a record's toString takes
	LinksLambda         // the same for objects of a hidden class
	EndsChain           // a String and its byte[], and no builder, if C2 has replaced the chain; else others count
	CountsChain         // the same, or the builder, which nobody has counted
	MakesReplaced       // an array, if a compiler has replaced the method called; else the method counts it
	MakesFresh          // an array, unless it is the one in local variable 4
	MakesTable          // an array, of its second site if there is one before, in local variable TableBefore
	Stops               // nothing, but the JVM makes what it puts the thread's stack into if the thread stops in it
)
