package allocations

// Site is a bytecode that allocates objects of one type. A multianewarray is one site for each level, the outermost
// first, and a call that makes things of several types one for each.
type Site struct {
	BCI    int    // in the class file as it was
	Line   int    // -1 unknown
	Type   string // internal form of a class, or an array's descriptor
	Kind   Kind
	Length int // of ArrayConst

	Looped bool // the code may come back to the bytecode: see isLooped
	Copied bool // a call made it that clones or copies, or it takes the place of a smaller one
	// bytecode index of the call that the array goes to as its last argument, its elements stored; of a StringBuilder
	// in a loop, of the toString that its chain ends in; of what else is new, of the athrow that it goes to; 0 for none
	PassedTo int
}

// Kind says how a site's objects get their size.
type Kind uint8

const (
	Instance   Kind = iota // from their class
	ArrayConst             // an array of Site.Length elements
	ArrayLen               // an array; its counters sum lengths and sizes
	Multi                  // arrays of one level of multianewarray: their number, lengths and sizes are summed
	Called                 // what a call made, an array or not; lengths and sizes are summed
	// no allocation: the bytecodes that the method executed; Length is 1 where exceptions are left out of account
	Executed
	// what the JVM made to throw when it called this constructor, summed as Multi; it belongs to the instruction that
	// threw
	Raised
)

// stackChunk is what the JVM puts the stack of a continuation into that stops.
const stackChunk = "jdk/internal/vm/StackChunk"

// StoppedSite is that of a method that is called when a continuation has stopped, of those that nobody else counts.
var StoppedSite = Site{BCI: -1, Line: -1, Type: stackChunk, Kind: Multi}

// AttachedSites are those of a constructor of Thread that the JVM calls for a thread that is attaching: the object, and
// its name.
var AttachedSites = []Site{
	{BCI: -1, Line: -1, Type: "java/lang/Thread", Kind: Multi},
	{BCI: -1, Line: -1, Type: "java/lang/String", Kind: Multi},
	{BCI: -1, Line: -1, Type: "[B", Kind: Multi},
}

// AskedSites are those of a class loader's loadClass that the JVM calls: the name of the class.
var AskedSites = []Site{
	{BCI: -1, Line: -1, Type: "java/lang/String", Kind: Multi},
	{BCI: -1, Line: -1, Type: "[B", Kind: Multi},
}

// LinkedSites are those of a method that the JVM calls to link an instruction: what it hands over.
var LinkedSites = []Site{
	{BCI: -1, Line: -1, Type: "[Ljava/lang/Object;", Kind: Multi},
	{BCI: -1, Line: -1, Type: "[Ljava/lang/Class;", Kind: Multi},
	{BCI: -1, Line: -1, Type: "java/lang/String", Kind: Multi},
	{BCI: -1, Line: -1, Type: "[B", Kind: Multi},
}

// OfJVM reports whether the JVM made the object, around the method.
func (s Site) OfJVM() bool { return s.Kind == Raised || s.Kind == Multi && s.BCI < 0 }

// RaisedSites are those of an exception's constructor that the JVM calls: the exception, and its message.
func RaisedSites(class string) []Site {
	var sites []Site
	for _, t := range [...]string{class, "java/lang/String", "[B"} {
		sites = append(sites, Site{BCI: -1, Line: -1, Type: t, Kind: Raised})
	}
	return sites
}
