package emit

// Traits are what the driver has to know of a backend: which questions it asks of a class or a method.
type Traits struct {
	ThreadFields []ThreadField // that the runtime classes read

	ProbesStack       bool // methods that count ask first whether the stack has room for what they call
	Hooks             bool // some methods of the JDK call the runtime first thing, or before they return
	CountsHandles     bool // method handles that make arrays are counted
	MeasuresStrings   bool // strings that were concatenated are measured as they are
	AnnouncesLeaves   bool // calls of leaves are announced as well
	AnnouncesChains   bool // calls of super() or this() are announced as such
	AnswersCurrent    bool // what mallard.Context.current returns is put there by its caller
	InitializersEnter bool // class initialisers have contexts even if they call nothing: they may have others run
	BeginsLate        bool // a context can begin where it is first needed
	LeavesEnd         bool // methods that call nothing say that they return
}

// ThreadField is a field of java.lang.Thread.
type ThreadField struct{ Name, Descriptor string }

// The fields of every Thread, in their order.
var (
	pageField = ThreadField{"$mallard", "J"} // address of the block it counts in, relative to Pages.Shared
	nextField = ThreadField{"$next", "J"}    // with contexts: by what the next method is entered
	// where hashes or numbers lead; in a tree what nodes do; see enter of $MallardEntered
	tableField  = ThreadField{"$table", "J"}
	calledField = ThreadField{"$called", "I"} // with hashes or numbers: what is called
)
