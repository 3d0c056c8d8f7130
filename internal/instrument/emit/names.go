package emit

import (
	"strings"

	"mallard/internal/abi"
)

// NodeHeader is how many words of a node are in front of the slots.
const NodeHeader = abi.NodeSlots

// Names of calls, as [Call.Callee] and [Context.Name] have them.
const (
	// Lambda is the name of all bodies of lambdas, which are called by other names.
	Lambda = "lambda$"
	// Nameless is the name of what nobody calls by name.
	Nameless = ""
)

// Answers is the call name that a method answers to. What the VM calls between any two instructions has none: a call
// that names it may still be the last one that was announced.
func Answers(class, name, descriptor string) string {
	if name == "<clinit>" || name+descriptor == "loadClass(Ljava/lang/String;)Ljava/lang/Class;" ||
		class == "java/lang/invoke/MethodHandleNatives" {
		return Nameless
	}
	return CallName(class, name, descriptor)
}

// CallName is what a call says: a constructor is called by its class's name.
func CallName(class, name, descriptor string) string {
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

// Hashes of names: those that nothing has a name for.
const (
	anyName      = 0             // of calls that any method may answer
	neverName    = abi.NameNever // of methods that nobody calls by name
	firstName    = abi.FirstAnnouncedName
	possibleName = abi.NameReturned - firstName
)

// nameHash gives 16 bits for a name. Where two names have the same, a callee takes some calls for its own that are
// not, which $MallardHash finds out before it counts.
func nameHash(name string) uint16 {
	h := uint32(2166136261) // FNV-1a
	for i := 0; i < len(name); i++ {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return uint16(h%possibleName) + firstName
}

// Announcement is what a call writes into its thread: the word of its slot in the node that leads to the callee, in
// the upper half, and the callee's name.
func Announcement(slot int, callee string) int32 {
	name := uint16(anyName)
	if callee != Nameless {
		name = nameHash(callee)
	}
	return int32(uint32(NodeHeader+slot)<<abi.AnnounceWordShift | uint32(name)<<abi.AnnounceNameShift)
}
