package emit

// Traits are what the driver has to know of a backend: which questions it asks of a class or a method.
type Traits struct {
	ThreadFields []Field // that the runtime classes read

	ProbesStack       bool // methods that count ask first whether the stack has room for what they call
	Hooks             bool // some methods of the JDK call the runtime first thing, or before they return
	NamesCallers      bool // calls of method handles, and by reflection, say where what they make is counted
	TellsClasses      bool // what a call makes is counted by the class that it is of
	ClassNodes        bool // nodes have those of classes in their last slot
	MadeAside         bool // what calls make, where the code does not tell its class, is on no path
	MeasuresStrings   bool // strings that were concatenated are measured as they are
	AnnouncesLeaves   bool // calls of leaves are announced as well
	AnnouncesChains   bool // calls of super() or this() are announced as such
	AnswersCurrent    bool // what mallard.Context.current returns is put there by its caller
	InitializersEnter bool // class initialisers have contexts even if they call nothing: they may have others run
	BeginsLate        bool // a context can begin where it is first needed
	LeavesEnd         bool // methods that call nothing say that they return
}

// Field is a field that a class of the JDK gets.
type Field struct{ Name, Descriptor string }

// ClassFields are those of every Class: the number by which what calls make is counted.
var ClassFields = []Field{{"$mallard", "I"}}

// MemberFields are those of what a method handle calls: what that stands for.
var MemberFields = []Field{{"$mallard", "Ljava/lang/Object;"}}

// StringFields are those of every String: whether a builder has made it by executing toString.
var StringFields = []Field{{"$mallard", "B"}}

// ContinuationFields are those of what a virtual thread runs in: what it was put into when it stopped, and was counted.
var ContinuationFields = []Field{{"$mallard", "Ljava/lang/Object;"}}

// The fields of every Thread, in their order.
var (
	blockField = Field{"$mallard", "J"} // address of the block it counts in, relative to Pages.Shared
	nextField  = Field{"$next", "J"}    // with contexts: by what the next method is entered
	// where hashes or numbers lead; in a tree what nodes do; see enter of $MallardEntered
	tableField  = Field{"$table", "J"}
	calledField = Field{"$called", "I"} // with hashes or numbers: what is called
)

// BlockField is the field of a thread that has the offset of its block.
func BlockField() Field { return blockField }
