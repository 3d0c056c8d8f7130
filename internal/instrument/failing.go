package instrument

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
)

// failing is how a method of the JDK makes something that whoever calls it counts (package allocations), and may lose
// it: an exception comes in between. Then the method itself counts.
type failing struct {
	local      uint16 // has what was made, or who made it
	of         string // the local's type, in internal form
	from, end  int    // instructions where an exception means that it is lost
	made       string // its type, or Object where that is not known
	constructs bool   // the local is a Constructor, and the exception tells whether there is an object
	site       int    // of what is lost

	concatenates bool // the local is the array of a string that is being made
}

const constructorClass = "java/lang/reflect/Constructor"

// findFailing says how a method fails, given its names and code, and whether strings own their arrays; nil for most.
func findFailing(class, name, descriptor string, code *bytecode.Code, pool refs, owns bool) *failing {
	switch {
	case len(code.Handlers) > 0:
		return nil
	case class == "java/util/Arrays" && strings.HasPrefix(name, "copyOf") &&
		strings.HasSuffix(descriptor, "Ljava/lang/Class;)[Ljava/lang/Object;"):
		return findCopying(code)
	case isConstructing(class, name):
		return findConstructing(code, pool)
	case owns && allocations.IsConcatenating(class):
		return findConcatenating(code, pool)
	}
	return nil
}

// isConstructing reports whether a method calls what has objects made, and constructors run, by reflection.
func isConstructing(class, method string) bool {
	return class == constructorClass && method == "newInstanceWithCaller"
}

// refs has the constants that name methods.
type refs interface {
	Ref(i classfile.PoolIndex) (class, name, descriptor string, err error)
}

// findCopying finds where a method of java.util.Arrays has a new array of a given class. Where something does not fit
// into that, or there is nothing to copy, it throws.
func findCopying(code *bytecode.Code) *failing {
	var found *failing
	for i, in := range code.Insns {
		if in.Op != bytecode.OpAstore && (in.Op < bytecode.OpAstore0 || in.Op > bytecode.OpAstore3) {
			continue
		}
		local, _ := in.Slot()
		if found != nil {
			return nil
		}
		const array = "[Ljava/lang/Object;"
		found = &failing{local: uint16(local), of: array, from: i + 1, end: len(code.Insns), made: array}
	}
	return found
}

// findConcatenating finds where a method that concatenates has the array of the new string, which says itself that it
// is to be counted once it is there.
func findConcatenating(code *bytecode.Code, pool refs) *failing {
	for i, in := range code.Insns {
		if in.Op != bytecode.OpInvokestatic || i+1 == len(code.Insns) {
			continue
		}
		of, name, descriptor, err := pool.Ref(in.Pool())
		if err != nil || !allocations.GivesOwnArray(of, name, descriptor) {
			continue
		}
		if next := code.Insns[i+1]; next.Op == bytecode.OpAstore || next.Op >= bytecode.OpAstore0 &&
			next.Op <= bytecode.OpAstore3 {
			local, _ := next.Slot()
			return &failing{local: uint16(local), of: "[B", from: i + 2, end: len(code.Insns), made: "[B",
				concatenates: true}
		}
	}
	return nil
}

// findConstructing finds where a Constructor has its object made, and the constructor run, which may throw.
func findConstructing(code *bytecode.Code, pool refs) *failing {
	for i, in := range code.Insns {
		if in.Op != bytecode.OpInvokeinterface {
			continue
		}
		if class, name, _, err := pool.Ref(in.Pool()); err == nil && name == "newInstance" &&
			strings.HasSuffix(class, "/ConstructorAccessor") {
			return &failing{of: constructorClass, from: i, end: i + 1, made: "java/lang/Object", constructs: true}
		}
	}
	return nil
}

// lostSite is where a method makes what it may lose.
func (f *failing) lostSite(code *bytecode.Code) allocations.Site {
	return allocations.Site{BCI: code.PC(f.from), Line: bytecode.NewLineTable(code).Line(f.from), Type: f.made,
		Kind: allocations.Multi}
}
