package instrument

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
)

// copying is how a method of java.util.Arrays copies to a new array of a given class, which whoever calls it counts
// (package allocations). Where something does not fit into the array, or there is nothing to copy, an exception comes
// in between, and the method itself counts.
type copying struct {
	local uint16 // has the array
	from  int    // first instruction where it has
	site  int    // of the array in that case
}

// findCopying says how a method copies, given its names and code; nil for all others.
func findCopying(class, name, descriptor string, code *bytecode.Code) *copying {
	if class != "java/util/Arrays" || !strings.HasPrefix(name, "copyOf") ||
		!strings.HasSuffix(descriptor, "Ljava/lang/Class;)[Ljava/lang/Object;") || len(code.Handlers) > 0 {
		return nil
	}
	var found *copying
	for i, in := range code.Insns {
		if in.Op != bytecode.OpAstore && (in.Op < bytecode.OpAstore0 || in.Op > bytecode.OpAstore3) {
			continue
		}
		local, _ := in.Slot()
		if found != nil {
			return nil
		}
		found = &copying{local: uint16(local), from: i + 1}
	}
	return found
}

// failedSite is where the array of a method that copies is made.
func failedSite(code *bytecode.Code, c *copying) allocations.Site {
	return allocations.Site{BCI: code.PC(c.from), Line: bytecode.NewLineTable(code).Line(c.from),
		Type: "[Ljava/lang/Object;", Kind: allocations.Multi}
}
