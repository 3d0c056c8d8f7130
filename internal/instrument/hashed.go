package instrument

import (
	"strings"

	"mallard/internal/abi"
	"mallard/internal/bytecode"
)

// A Representation says how contexts are kept.
type Representation uint8

const (
	NoContexts Representation = iota
	Tree                      // each invocation finds its node: see [Context]
	Hashed                    // each invocation computes a hash of its context, and looks for a node where it counts
	Encoded                   // as Hashed, with numbers that are decoded
)

// In the hashed shape an invocation has a hash of its context in place of the node, and nothing in memory is touched but two fields of the thread:
//
//	ldc METHOD; ldc NODE                   Number, when PatchMethods has made it absolute; Words in the upper half, in the lower a hash of Name
//	invokestatic java/lang/$MallardHash.begin (II)J
//	lstore N
//	...
//	lload N; ldc CALL                      the slot (of the tree's node) in the upper half, in the lower a hash of Callee
//	invokestatic java/lang/$MallardHash.announce (JI)V
//	invokevirtual ...
//	...
//	lload N; ldc METHOD
//	invokestatic java/lang/$MallardHash.node (JI)J
//	sipush WORD                            the node is the tree's
//	invokestatic java/lang/$Mallard.count (JI)V
//	...
//	lload N; ldc METHOD
//	invokestatic java/lang/$MallardHash.end (JI)V
//	return
//
// The body of a lambda begins with beginAny, for calls have other names. Methods that call nothing need no end. Where else than at the entry a context may begin, begin.go says.

// Names of calls, as [Call.Callee] and [Context.Name] have them.
const (
	// Lambda is the name of all bodies of lambdas, which are called by other names.
	Lambda = "lambda$"
	// Nameless is the name of what nobody calls by name.
	Nameless = ""
)

// answers is the call name that a method answers to. What the VM calls between any two instructions has none: a call that names it may still be the last one that was
// announced.
func answers(class, name, descriptor string) string {
	if name == "<clinit>" || name+descriptor == "loadClass(Ljava/lang/String;)Ljava/lang/Class;" || class == "java/lang/invoke/MethodHandleNatives" {
		return Nameless
	}
	return callName(class, name, descriptor)
}

// callName is what a call says: a constructor is called by its class's name.
func callName(class, name, descriptor string) string {
	switch {
	case name == "":
		return Nameless
	case name == "<init>":
		return class + descriptor
	case strings.HasPrefix(name, Lambda):
		return Lambda
	}
	return name + descriptor
}

// Raised reports whether a method is the constructor of an exception, to judge by its name: the VM and native code make exceptions at any instruction.
func (x *Context) Raised() bool {
	return strings.Contains(x.Name, "Exception(") || strings.Contains(x.Name, "Error(")
}

// Hashes of names: those that nothing has a name for.
const (
	anyName      = 0             // of calls that any method may answer
	neverName    = abi.NameNever // of methods that nobody calls by name
	firstName    = abi.FirstAnnouncedName
	possibleName = abi.NameReturned - firstName
)

// nameHash gives 16 bits for a name. Where two names have the same, a callee takes some calls for its own that are not, which $MallardHash finds out before
// it counts.
func nameHash(name string) uint16 {
	h := uint32(2166136261) // FNV-1a
	for i := 0; i < len(name); i++ {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return uint16(h%possibleName) + firstName
}

// announcement is what a call writes into its thread: the word of the node that leads to the callee, in the upper half, and the callee's name.
func announcement(word int, callee string) int32 {
	name := uint16(anyName)
	if callee != Nameless {
		name = nameHash(callee)
	}
	return int32(uint32(word)<<abi.AnnounceWordShift | uint32(name)<<abi.AnnounceNameShift)
}

// Announcements gives what the calls of a method announce, by slot.
func (x *Context) Announcements() []int32 {
	list := make([]int32, len(x.Calls))
	for k := range x.Calls {
		list[k] = announcement(NodeHeader+k, x.Calls[k].Callee)
	}
	return list
}

// enter gives the code that pushes the node of an invocation that begins, or its hash.
func (c *calls) enter(x *Context) ([]bytecode.Instruction, error) {
	if c.shape == Encoded {
		return c.enterEncoded(x)
	}
	code, m := []bytecode.Instruction{c.ldc(c.node.method)}, enter
	if c.shape == Tree {
		code = append(code, bytecode.PushInt(int16(x.Words))) // method, words → node
	} else {
		m = begin
		name := uint16(neverName)
		switch x.Name {
		case Nameless:
		case Lambda:
			m = beginAny
		default:
			name = nameHash(x.Name)
		}
		node, err := c.pool.AppendInteger(int32(uint32(x.Words)<<abi.AnnounceWordShift | uint32(name)<<abi.AnnounceNameShift))
		if err != nil {
			return nil, err
		}
		code = append(code, c.ldc(node)) // method, words and name → hash
	}
	invoke, err := c.invoke(m)
	return append(code, invoke), err
}

// announce gives the code before a call.
func (c *calls) announce(slot int, site callSite) ([]bytecode.Instruction, error) {
	switch {
	case c.alone:
		return c.announceAlone(slot, site)
	case c.shape == Encoded:
		return c.announceEncoded(slot)
	case c.shape == Tree:
		invoke, err := c.invoke(call)
		return []bytecode.Instruction{c.node.load(), bytecode.PushInt(int16(NodeHeader + slot)), invoke}, err // ..., node, slot → ...
	}
	number, err := c.pool.AppendInteger(announcement(NodeHeader+slot, site.Callee))
	if err != nil {
		return nil, err
	}
	invoke, err := c.invoke(announce)
	return []bytecode.Instruction{c.node.load(), c.ldc(number), invoke}, err // ..., hash, call → ...
}

// end gives the code before a return, in a method that may be in transactions then or not.
func (c *calls) end(transacts bool) ([]bytecode.Instruction, error) {
	if c.alone {
		return c.endAlone(leave)
	}
	code := []bytecode.Instruction{c.node.load()}
	if transacts {
		invoke, err := c.invoke(transactionsOver)
		if err != nil {
			return nil, err
		}
		code = append(code, invoke) // ..., node → ..., node
	}
	m := end
	switch c.shape {
	case Tree:
		m = leave
	case Hashed:
		code = append(code, c.ldc(c.node.method)) // ..., hash → ..., hash, method
	case Encoded:
		code, m = append(code, c.ldc(c.node.method)), endEncoded
	}
	invoke, err := c.invoke(m)
	return append(code, invoke), err
}

// pushNode gives the code that pushes the node of the invocation.
func (c *calls) pushNode() ([]bytecode.Instruction, error) {
	switch c.shape {
	case Tree:
		return []bytecode.Instruction{c.node.load()}, nil
	case Encoded:
		return c.withMethod(nodeEncoded)
	}
	return c.withMethod(nodeOf)
}

// newNode gives a method its number, in a constant.
func (c *calls) newNode(local uint16, slots int) (*node, error) {
	method, err := c.pool.AppendInteger(int32(len(c.contexts)))
	if err != nil {
		return nil, err
	}
	n := &node{local: local, object: c.alone, slots: slots, first: c.next, number: uint32(len(c.contexts)), method: method, firstCall: c.encoded.next}
	c.contexts = append(c.contexts, method)
	c.encoded.next += uint32(slots)
	return n, nil
}
