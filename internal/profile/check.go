package profile

// Check compares what the path counters say with JP's constructor rule (the JP
// paper, section 4): in a context as many objects of a class were made as its
// constructors were called there, less one for each invocation of the context's
// own method if that is a constructor whose this() or super() is of the class.
//
//	class A { A() { this(new Object()); }  A(Object o) { super(); } }
//
// In the context of A() the constructor of Object is called once and that of A
// once, which is A's own and not counted: one Object.
//
// Where the two differ, each object is told by its Reason. Arrays have no
// constructors and are not compared.
type Check struct {
	Rule     int64             // objects by the rule
	Counted  int64             // objects that were counted, arrays aside
	Arrays   int64             // arrays that were counted
	Certain  int64             // of them, those of which one too many is found: see [Unexplained]
	Compared int               // contexts and types that were compared
	Reasons  ReasonCounts      // over all Differences
	Types    []CheckedType     // by name
	Contexts []CheckDifference // those that differ; the largest first
}

// CheckedType is a comparison over all contexts.
type CheckedType struct {
	Type          string // in Java's words
	Rule, Counted int64
	Reasons       ReasonCounts // their sum is Rule less Counted
}

// CheckDifference is a comparison in one context.
type CheckDifference struct {
	Context int32 // index in Profile.Contexts
	CheckedType
}

// Reason says why an object is in one of two figures and not in the other.
type Reason uint8

const (
	// Unexplained is what the rule has more; and what was counted more in methods where each new of the class is always
	// followed by its constructor, as nothing in between can throw. Elsewhere that is NotConstructed: how often
	// exceptions came in between is not known.
	Unexplained            Reason = iota
	NotConstructed                // counted only
	WithoutConstructor            // counted only
	UnseenConstructor             // counted only
	CountedWithoutContext         // counted only
	NoMemory                      // counted only
	SuperNotReached               // the rule has one too few
	OtherConstructor              // one type too many, another too few
	CountedByCaller               // by the rule only
	ConstructedFromOutside        // by the rule only
	CallerWithoutContext          // by the rule only
	reasons
)

// ReasonCounts is by Reason: objects that the rule has more than were counted.
type ReasonCounts [reasons]int64

var reasonTexts = [reasons][2]string{
	Unexplained:        {"unexplained", "Mallard errs, a stack was full, or no compiler made the code"},
	NotConstructed:     {"not_constructed", "no constructor was entered before an exception or the end"},
	WithoutConstructor: {"without_constructor", "made by a call: clone, reflection, lambdas, strings"},
	UnseenConstructor:  {"unseen_constructor", "constructed by a constructor that stands in no contexts"},
	CountedWithoutContext: {"counted_without_context",
		"made by a hidden class, or in a method without contexts"},
	NoMemory:         {"no_memory", "made where there was no memory for contexts"},
	SuperNotReached:  {"super_not_reached", "a constructor did not come to its super() or this()"},
	OtherConstructor: {"other_constructor", "a constructor calls now this, now that super() or this()"},
	CountedByCaller:  {"counted_by_caller", "constructed in a method whose callers count what it makes"},
	ConstructedFromOutside: {"constructed_from_outside",
		"made by the JVM, native code, method handles, hidden classes"},
	CallerWithoutContext: {"caller_without_context", "constructed in a method that counts without contexts"},
}

// String returns the word for r in JSON.
func (r Reason) String() string { return reasonTexts[r][0] }

// Text says for a reader what r means.
func (r Reason) Text() string { return reasonTexts[r][1] }

// IsZero reports whether there are no reasons.
func (c *ReasonCounts) IsZero() bool { return *c == ReasonCounts{} }

// Size is how many objects differ.
func (c *ReasonCounts) Size() (n int64) {
	for _, v := range c {
		n += max(v, -v)
	}
	return n
}

func (t *CheckedType) add(b *CheckedType) {
	t.Rule += b.Rule
	t.Counted += b.Counted
	for i, n := range b.Reasons {
		t.Reasons[i] += n
	}
}
