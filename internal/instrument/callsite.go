package instrument

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/instrument/emit"
)

// A callSite is an instruction that calls a method.
type callSite struct {
	at int // instruction
	Call
	transaction emit.Transaction
	chains      bool // calls super() or this(), where no agent is
}

// asCarrier reports whether a call of a method that carries virtual threads is made when these have been unmounted:
// afterYield, afterDone, in JDK 21 afterTerminate.
func (c *callSite) asCarrier() bool { return strings.HasPrefix(c.Callee, "after") }

// called is what a constant says about a callee. The strings are not the class's.
type called struct {
	name   string // as in [Call.Callee]
	object bool   // Object's constructor
	leaf   bool   // it can only be a leaf, which begins or ends no transaction

	transaction emit.Transaction
}

const objectClass = "java/lang/Object"

// mayInvoke is false for code that has no byte in common with a call.
func mayInvoke(code []byte) bool {
	for _, b := range code {
		if bytecode.Opcode(b).IsInvoke() {
			return true
		}
	}
	return false
}

// isPolymorphic reports whether a method is signature polymorphic (JVMS 2.9.3), as far as the name of one of these
// classes tells.
func isPolymorphic(class, name string) bool {
	switch class {
	case "java/lang/invoke/MethodHandle":
		return name == "invoke" || name == "invokeExact" || name == "invokeBasic" || strings.HasPrefix(name, "linkTo")
	case "java/lang/invoke/VarHandle":
		for _, prefix := range [...]string{"get", "set", "compareAnd", "weakCompareAnd"} {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}
