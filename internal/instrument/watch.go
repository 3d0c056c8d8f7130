package instrument

import "mallard/internal/bytecode"

// With [Options.Watched], code around what reads a field or an element of an array passes the object, the value and the
// place on to a runtime class, which looks whether the object is watched. It counts nothing and changes no count: its
// calls stand on no path of their own, and no context knows them.
//
// An object is initialised where the verifier lets its fields be read.

// watch puts the code around them.
func (p *plan) watch(b *body) error {
	pool := b.rewriter.class.Pool
	for _, i := range b.reads() {
		in, descriptor := b.code.Insns[i], ""
		if in.Op == bytecode.OpGetfield {
			var err error
			if _, _, descriptor, err = pool.Ref(in.Pool()); err != nil {
				return err
			}
		}
		r, err := p.emit.Reads(in.Op, descriptor, b.code.PC(i))
		if err != nil {
			return err
		}
		p.insert(i, bytecode.Always, nil, r.Before, r.Stack, nil)
		p.insert(i+1, bytecode.FallThrough, nil, r.Behind, r.Stack, nil)
	}
	return nil
}
