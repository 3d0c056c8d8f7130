package instrument

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// copying is how a method of java.util.Arrays copies to a new array of a given class, which whoever calls it counts
// (package allocations). Where something does not fit into the array, or there is nothing to copy, an exception comes
// in between, and the method itself counts.
type copying struct {
	local uint16 // has the array
	from  int    // first instruction where it has
	site  int    // of the array in that case
}

// findCopying says how the method copies; nil for all others.
func (b *body) findCopying() *copying {
	w := b.rewriter
	if w.result.Name != "java/util/Arrays" || !strings.HasPrefix(b.name, "copyOf") || !w.traits.Hooks ||
		!strings.HasSuffix(b.descriptor, "Ljava/lang/Class;)[Ljava/lang/Object;") || b.bytecodes ||
		len(b.code.Handlers) > 0 {
		return nil
	}
	var found *copying
	for i, in := range b.code.Insns {
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

// countFailed counts the array where copying to it fails.
func (p *plan) countFailed(b *body) error {
	c := b.copying
	if c == nil {
		return nil
	}
	first := p.emit.Counters()
	p.addCounters(Counter{Kind: Arrays, Semantics: placement.Unit(c.site), Site: c.site}, Counter{Kind: Elements, Site: c.site},
		Counter{Kind: Bytes, Site: c.site})
	code, stack, err := p.emit.Failed(first, c.local)
	if err != nil {
		return err
	}
	locals, err := b.entryLocals(p.emit.ClassConstant)
	if err != nil {
		return err
	}
	array, err := p.emit.ClassConstant("[Ljava/lang/Object;")
	if err != nil {
		return err
	}
	for len(locals) < int(c.local) {
		locals = append(locals, bytecode.VerificationType{Tag: bytecode.Top})
	}
	locals = append(locals, bytecode.VerificationType{Tag: bytecode.Object, Arg: int32(array)})
	p.catching, err = p.emit.Catching([]bytecode.Catcher{{Ranges: [][2]int{{c.from, len(p.code.Insns)}}, Code: code,
		Stack: p.emit.Slots(stack), Locals: locals}})
	return err
}

// failedSite is where the array of a method that copies is made.
func failedSite(code *bytecode.Code, c *copying) allocations.Site {
	return allocations.Site{BCI: code.PC(c.from), Line: bytecode.NewLineTable(code).Line(c.from),
		Type: "[Ljava/lang/Object;", Kind: allocations.Multi}
}
