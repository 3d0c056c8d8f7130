package instrument

import (
	"strings"

	"mallard/internal/abi"
	"mallard/internal/instrument/emit"
)

// Context says how the contexts of a method are kept ([Options.Contexts]). A node is a context: the chain of calls
// from a thread's first frame to an invocation of the method. The method's code keeps what leads to its node in a
// local variable, announces each call, and counts in the node's own words. Package emit shows the code. Hooks run
// before the context is entered. The local variable is alive in the whole body but for these first instructions.
type Context struct {
	Number uint32 // of the method, relative to the class's first
	Name   string // by which calls call it: [Call.Callee]
	Words  int    // of a node: the header, the slots and the counters, 8 bytes each
	First  uint32 // number of the counter in the first word behind the slots; the method's others follow in their order
	Hidden bool   // annotated as one whose frames the JVM does not print; it believes this of its own classes only
	Calls  []Call // by slot; the last may be none, whose slot has nodes for the classes of what others have made

	Constructions []Construction // with Options.Constructors
}

// Word gives the index in a node of a counter of the method.
func (x *Context) Word(counter uint32) int {
	return emit.NodeHeader + len(x.Calls) + int(counter-x.First)
}

// Raised reports whether a method is the constructor of an exception, to judge by its name: the VM and native code make
// exceptions at any instruction.
func (x *Context) Raised() bool {
	return strings.Contains(x.Name, "Exception(") || strings.Contains(x.Name, "Error(")
}

// Announcements gives what the calls of a method announce, by slot.
func (x *Context) Announcements() []int32 {
	list := make([]int32, len(x.Calls))
	for k := range x.Calls {
		list[k] = emit.Announcement(k, x.Calls[k].Callee)
	}
	return list
}

// Call is an instruction that calls a method.
type Call struct {
	BCI  int // in the class file as it was
	PC   int // in the new code; $MallardTree.call is called right before
	Line int // -1 unknown

	// Callee is the name of what is called, with the descriptor, for a constructor its class instead, for the body of
	// a lambda [emit.Lambda]; [emit.Nameless] for invokedynamic, MethodHandle.invoke and the like, where any method
	// may answer.
	Callee string
}

// classesCall is none, and stands behind all code.
var classesCall = Call{BCI: -1, PC: abi.ClassesPosition, Line: -1}

// Construction is a call of a constructor, with [Options.Constructors]: what JP's rule (section 4 of the paper) needs
// to tell objects from invocations of constructors.
type Construction struct {
	Call              int    // index in Context.Calls
	Class, Descriptor string // of the constructor, the class in internal form
	Chains            bool   // this() or super(): the constructor that calls it made no object for it
	Counted           bool   // the callee has no contexts; Counter says how often the call was made
	Counter           uint32 // of kind Path, which means nothing for any site
	// bytes of code from the new whose object it always gets, as nothing in between can throw; 0 if there is none
	Behind int
}
