package instrument

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
)

// Construction is a call of a constructor, with [Options.Constructors]: what JP's rule (section 4 of the paper) needs
// to tell objects from invocations of constructors.
type Construction struct {
	Call              int    // index in Context.Calls
	Class, Descriptor string // of the constructor, the class in internal form
	Chains            bool   // this() or super(): the constructor that calls it made no object for it
	Counted           bool   // the callee has no contexts; Counter says how often the call was made
	Counter           uint32 // of kind Path, which means nothing for any site
}

// findConstructions lists the constructors that a method calls.
func (b *body) findConstructions() ([]Construction, error) {
	var list []Construction
	for k, call := range b.calls {
		in := b.code.Insns[call.at]
		if in.Op != bytecode.OpInvokespecial {
			continue
		}
		class, name, descriptor, err := b.rewriter.class.Pool.Ref(in.Pool())
		if err != nil {
			return nil, err
		}
		if name == "<init>" {
			list = append(list, Construction{Call: k, Class: strings.Clone(class),
				Descriptor: strings.Clone(descriptor), Counted: class == objectClass || !mayHaveContexts(class)})
		}
	}
	if b.name != "<init>" || len(list) == 0 {
		return list, nil
	}
	chains, err := b.chains(list)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Chains = chains[b.calls[list[i].Call].at]
	}
	return list, nil
}

const objectClass = "java/lang/Object"

// mayHaveContexts reports whether the methods of a class have contexts if that can be. The runtime classes call
// Unsafe, which must not call back; and while the methods run that virtual threads stand on, the current thread
// changes.
func mayHaveContexts(class string) bool {
	return !IsRuntime(class) && class != "jdk/internal/misc/Unsafe" && class != "jdk/internal/vm/Continuation" &&
		!strings.HasPrefix(class, emit.VirtualThreadClass)
}

// chains finds the instructions of a constructor that call this() or super(): `this` is uninitialised before such a
// call, and is not behind it. Where code cannot be followed, which has no frames then or is no compiler's, the only
// call that can be one is.
func (b *body) chains(list []Construction) (map[int]bool, error) {
	code, pool := b.code, b.rewriter.class.Pool
	entry, err := b.entryLocals(func(string) (classfile.PoolIndex, error) { return 0, nil })
	if err != nil {
		return nil, err
	}
	found, candidates := map[int]bool{}, map[int]bool{}
	uninitialized, err := code.UninitializedThis(entry, pool)
	for _, c := range list {
		at := b.calls[c.Call].at
		if err == nil && at+1 < len(code.Insns) && uninitialized[at] && !uninitialized[at+1] {
			found[at] = true
		}
		if c.Class == b.rewriter.result.Name || c.Class == b.rewriter.super {
			candidates[at] = true
		}
	}
	if len(found) == 0 && len(candidates) == 1 {
		return candidates, nil
	}
	return found, nil
}

// countConstructions counts the calls of constructors that have no contexts.
func (p *plan) countConstructions(b *body) error {
	for i := range b.constructions {
		c := &b.constructions[i]
		if !c.Counted {
			continue
		}
		c.Counter = p.emit.Take(1)
		p.method.Counters = append(p.method.Counters, Counter{Number: c.Counter, Kind: Path})
		code, stack, err := p.emit.Count(c.Counter)
		if err != nil {
			return err
		}
		p.insert(b.calls[c.Call].at, bytecode.Always, nil, code, stack, nil)
	}
	return nil
}
