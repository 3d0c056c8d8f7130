package allocations

import (
	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// cloneAt says what a call of clone makes. Of an array it is always Object's. Elsewhere Object's is protected: it is
// called as super.clone(), or in a class that inherits it.
func cloneAt(class *classfile.Class, in bytecode.Instruction) Call {
	callee, _, _, err := class.Pool.Ref(in.Pool())
	switch {
	case err != nil:
		return NoCall
	case in.Op == bytecode.OpInvokevirtual && dimensions(callee) > 0:
		return MakesClone
	case in.Op == bytecode.OpInvokevirtual:
		return MayClone
	case in.Op == bytecode.OpInvokespecial && callee == "java/lang/Object":
		return MakesObject
	case in.Op == bytecode.OpInvokespecial && class.Major >= ldcClassVersion:
		return MaySuperClone
	}
	return NoCall
}

// ldcClassVersion is the first major version of class files in which ldc pushes classes.
const ldcClassVersion = 49
