package instrument

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
)

// findConstructions lists the constructors that a method calls.
func (b *body) findConstructions() ([]Construction, error) {
	var list []Construction
	behind := b.certainConstructors()
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
				Descriptor: strings.Clone(descriptor), Counted: class == objectClass || !mayHaveContexts(class),
				Behind: behind[call.at]})
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

// certainConstructors gives for calls of constructors that always come behind the new of their object how many bytes of
// code these are apart.
func (b *body) certainConstructors() map[int]int {
	var news []int
	for i, in := range b.code.Insns {
		if in.Op == bytecode.OpNew {
			news = append(news, i)
		}
	}
	if len(news) == 0 {
		return nil
	}
	behind := map[int]int{}
	constructors := allocations.FindConstructors(b.code, b.rewriter.class.Pool, news, b.isInstance())
	for at, constructor := range constructors {
		if constructor.Certain {
			behind[constructor.At] = b.code.PC(constructor.At) - b.code.PC(at)
		}
	}
	return behind
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

// findChains finds the calls of super() or this().
func (b *body) findChains() error {
	if !b.rewriter.traits.AnnouncesChains {
		return nil
	}
	this, err := b.uninitializedThis()
	if err != nil {
		return err
	}
	for k := range b.calls {
		at := b.calls[k].at
		b.calls[k].chains = at+1 < len(this) && this[at] && !this[at+1] &&
			b.code.Insns[at].Op == bytecode.OpInvokespecial
	}
	return nil
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
