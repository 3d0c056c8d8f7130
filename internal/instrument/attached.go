package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
)

// withoutField gives a runtime class for a JVM whose threads have no field of ours, since it was started without
// Mallard: what reads the field of a thread, or writes it, calls [emit.AttachedName], which leaves the same on the
// operand stack. With carriers, the current thread is the platform thread.
func withoutField(class []byte, carriers bool) ([]byte, error) {
	c, err := classfile.Parse(class)
	if err != nil {
		return nil, err
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		attribute := c.Pool.FindAttribute(m.Attributes, classfile.AttrCode)
		if attribute == nil {
			continue
		}
		raw, err := classfile.DecodeCode(attribute.Info)
		if err != nil {
			return nil, err
		}
		code, err := bytecode.Decode(raw, c.Pool)
		if err != nil {
			return nil, err
		}
		changed := false
		for k := range code.Insns {
			call, err := callInPlace(c.Pool, code.Insns[k], carriers)
			if err != nil {
				return nil, err
			}
			if call != 0 {
				code.Insns[k] = bytecode.WithPool(bytecode.OpInvokestatic, call)
				changed = true
			}
		}
		if !changed {
			continue
		}
		if raw, err = code.Encode(); err != nil {
			return nil, err
		}
		info, err := raw.AppendTo(nil)
		if err != nil {
			return nil, err
		}
		if m.Attributes, err = c.Pool.SetAttribute(m.Attributes, classfile.AttrCode, info); err != nil {
			return nil, err
		}
	}
	return c.AppendTo(nil)
}

// callInPlace gives the method that is called in the place of an instruction, 0 for most.
func callInPlace(pool *classfile.Pool, in bytecode.Instruction, carriers bool) (classfile.PoolIndex, error) {
	if in.Op != bytecode.OpGetfield && in.Op != bytecode.OpPutfield && in.Op != bytecode.OpInvokestatic {
		return 0, nil
	}
	class, name, _, err := pool.Ref(in.Pool())
	if err != nil || class != emit.ThreadClass {
		return 0, err
	}
	block := emit.BlockField()
	switch {
	case in.Op == bytecode.OpInvokestatic && name == "currentThread" && carriers:
		return pool.AddMethodref(emit.ThreadClass, "currentCarrierThread", "()Ljava/lang/Thread;")
	case in.Op == bytecode.OpGetfield && name == block.Name: // thread → offset
		return pool.AddMethodref(emit.AttachedName, "block", "(Ljava/lang/Thread;)J")
	case in.Op == bytecode.OpPutfield && name == block.Name: // thread, offset →
		return pool.AddMethodref(emit.AttachedName, "block", "(Ljava/lang/Thread;J)V")
	}
	return 0, nil
}
