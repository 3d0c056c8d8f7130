package instrument

import (
	"strings"

	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
)

// Methods that neither allocate nor call anything are leaves: no code of ours is put into them, nor is any put into
// others for their sake. A call that can only come to such a method announces nothing. Should another agent put calls
// into it later, those are found out along the stack.

// LeafHash stands for a method (name and descriptor) where it is asked whether it is a leaf. It is odd for classes in
// java.*, which are the JVM's for all loaders, since no other may define any (java.lang.ClassLoader.defineClass). Two
// methods have the same by chance in one of 10^7 runs with a million of them.
func LeafHash(class, method string) uint64 {
	const offset, prime, mix = 14695981039346656037, 1099511628211, 0x9e3779b97f4a7c15 // FNV-1a, and its high bits
	h := uint64(offset)
	for _, s := range [...]string{class, ".", method} {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * prime
		}
	}
	h ^= h >> 32
	h = h * mix &^ 1
	if strings.HasPrefix(class, "java/") {
		h |= 1
	}
	return h
}

// bound are the flags of methods that no other is called in place of.
const bound = classfile.AccPrivate | classfile.AccStatic | classfile.AccFinal

// addLeaf notes a method that was left as it was, and calls nothing but such.
func (w *rewriter) addLeaf(m *classfile.Member, name, descriptor string) {
	if w.options.Contexts == NoContexts {
		return
	}
	if (m.AccessFlags|w.class.AccessFlags)&bound != 0 || name == "<init>" {
		w.result.Leaves = append(w.result.Leaves, strings.Clone(name)+descriptor)
	}
}

// isLeaf reports whether a call can only come to a leaf, as far as that is known.
func (w *rewriter) isLeaf(class, name, descriptor string) bool {
	if w.traits.AnnouncesLeaves {
		return false // the tree's nodes do not know who called them otherwise
	}
	switch {
	case class[0] == '[':
		return name == "clone"
	case isLeafInVM(class, name):
		return true
	case class == w.result.Name:
		return w.isOwnLeaf(name, descriptor)
	}
	return w.isAssumed(Callee{class, name + descriptor})
}

// isAssumed is isLeaf for the methods of other classes.
func (w *rewriter) isAssumed(c Callee) bool {
	leaf, asked := w.assumed[c]
	if !asked && w.options.Leaf != nil {
		if leaf = w.options.Leaf(c.Class, c.Method); leaf {
			c.Class = strings.Clone(c.Class) // the class file's
			w.result.Assumed = append(w.result.Assumed, c)
		}
		if w.assumed == nil {
			w.assumed = map[Callee]bool{}
		}
		w.assumed[c] = leaf
	}
	return leaf
}

// isOwnLeaf is isLeaf for the methods of the class that is being rewritten.
func (w *rewriter) isOwnLeaf(name, descriptor string) bool {
	for i := range w.class.Methods {
		m := &w.class.Methods[i]
		if n, _ := w.class.Pool.Utf8(m.Name); n != name {
			continue
		}
		if d, _ := w.class.Pool.Utf8(m.Descriptor); d != descriptor {
			continue
		}
		attribute := w.class.Pool.FindAttribute(m.Attributes, classfile.AttrCode)
		if attribute == nil || (m.AccessFlags|w.class.AccessFlags)&bound == 0 && name != "<init>" {
			return false
		}
		raw, err := classfile.DecodeCode(attribute.Info)
		return err == nil && !mayInvoke(raw.Bytecode) && !w.mayChange(m.AccessFlags, name, descriptor, raw.Bytecode) &&
			w.naming(m) == nil
	}
	return false
}

// isLeafInVM reports whether a method of the JDK is a leaf although it is native, or calls some that are: they are
// machine instructions, or look into the VM, and none comes back to Java code.
func isLeafInVM(class, name string) bool {
	switch class {
	case "java/lang/Object":
		return name == "getClass"
	case "java/lang/System":
		return name == "arraycopy" || name == "nanoTime" || name == "currentTimeMillis" || name == "identityHashCode"
	case emit.ThreadClass:
		return name == "currentThread"
	case "java/lang/Class":
		switch name {
		case "isInstance", "isAssignableFrom", "isArray", "isPrimitive", "isInterface", "getSuperclass", "getModifiers":
			return true
		}
	case "java/lang/reflect/Modifier": // bits of a number, which java.lang.Class tests before Modifier is defined
		return strings.HasPrefix(name, "is")
	case "jdk/internal/misc/Unsafe":
		for _, prefix := range [...]string{"get", "put", "compareAnd", "weakCompareAnd"} {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}
