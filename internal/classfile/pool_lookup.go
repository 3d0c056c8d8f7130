package classfile

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// The lookups below check index and tag. Strings are the bytes of the Utf8
// constant, modified UTF-8 as it stands (see DecodeModifiedUTF8). They alias the
// parsed bytes and keep them in memory: clone those that outlive the class.

// A ReferenceKind is the kind of a method handle (JVMS 5.4.3.5, table 5.4.3.5-A).
type ReferenceKind uint8

const (
	RefGetField         ReferenceKind = 1
	RefGetStatic        ReferenceKind = 2
	RefPutField         ReferenceKind = 3
	RefPutStatic        ReferenceKind = 4
	RefInvokeVirtual    ReferenceKind = 5
	RefInvokeStatic     ReferenceKind = 6
	RefInvokeSpecial    ReferenceKind = 7
	RefNewInvokeSpecial ReferenceKind = 8
	RefInvokeInterface  ReferenceKind = 9
)

// Utf8 returns the contents of a Utf8 constant.
func (p *Pool) Utf8(i PoolIndex) (string, error) {
	e := p.entry(i)
	if e == nil || Tag(e[0]) != TagUtf8 {
		return "", p.mismatch(i, TagUtf8)
	}
	return utf8Contents(e), nil
}

// utf8Contents returns the contents of the Utf8 entry at the start of e.
func utf8Contents(e []byte) string {
	n := int(binary.BigEndian.Uint16(e[1:]))
	return unsafe.String(unsafe.SliceData(e[3:3+n]), n)
}

// utf8Is reports whether entry i is a Utf8 constant with these contents.
func (p *Pool) utf8Is(i PoolIndex, s string) bool {
	e := p.entry(i)
	return e != nil && Tag(e[0]) == TagUtf8 && utf8Contents(e) == s
}

// ClassName returns the name of a Class constant in internal form:
// java/lang/String, for arrays a descriptor such as [[I.
func (p *Pool) ClassName(i PoolIndex) (string, error) { return p.named(i, TagClass) }

// StringValue returns the contents of a String constant.
func (p *Pool) StringValue(i PoolIndex) (string, error) { return p.named(i, TagString) }

// MethodType returns the descriptor of a MethodType constant.
func (p *Pool) MethodType(i PoolIndex) (string, error) { return p.named(i, TagMethodType) }

// ModuleName returns the name of a Module constant.
func (p *Pool) ModuleName(i PoolIndex) (string, error) { return p.named(i, TagModule) }

// PackageName returns the name of a Package constant in internal form.
func (p *Pool) PackageName(i PoolIndex) (string, error) { return p.named(i, TagPackage) }

// named returns the Utf8 that the sole operand of entry i points at.
func (p *Pool) named(i PoolIndex, tag Tag) (string, error) {
	e := p.entry(i)
	if e == nil || Tag(e[0]) != tag {
		return "", p.mismatch(i, tag)
	}
	return p.Utf8(index(e[1:]))
}

// NameAndType returns both strings of a NameAndType constant.
func (p *Pool) NameAndType(i PoolIndex) (name, descriptor string, err error) {
	e := p.entry(i)
	if e == nil || Tag(e[0]) != TagNameAndType {
		return "", "", p.mismatch(i, TagNameAndType)
	}
	if name, err = p.Utf8(index(e[1:])); err != nil {
		return "", "", err
	}
	if descriptor, err = p.Utf8(index(e[3:])); err != nil {
		return "", "", err
	}
	return name, descriptor, nil
}

// Ref returns class, name and descriptor of a Fieldref, Methodref or
// InterfaceMethodref constant.
func (p *Pool) Ref(i PoolIndex) (class, name, descriptor string, err error) {
	e, err := p.operand(i, TagFieldref, TagMethodref, TagInterfaceMethodref)
	if err != nil {
		return "", "", "", err
	}
	if class, err = p.ClassName(index(e)); err != nil {
		return "", "", "", err
	}
	if name, descriptor, err = p.NameAndType(index(e[2:])); err != nil {
		return "", "", "", err
	}
	return class, name, descriptor, nil
}

// RefClass returns the Class constant of a Fieldref, Methodref or
// InterfaceMethodref constant.
func (p *Pool) RefClass(i PoolIndex) (PoolIndex, error) {
	e, err := p.operand(i, TagFieldref, TagMethodref, TagInterfaceMethodref)
	if err != nil {
		return 0, err
	}
	return index(e), nil
}

// Dynamic returns the parts of a Dynamic or InvokeDynamic constant; bootstrap
// is an index into BootstrapMethods.Methods.
func (p *Pool) Dynamic(i PoolIndex) (bootstrap int, name, descriptor string, err error) {
	e, err := p.operand(i, TagDynamic, TagInvokeDynamic)
	if err != nil {
		return 0, "", "", err
	}
	if name, descriptor, err = p.NameAndType(index(e[2:])); err != nil {
		return 0, "", "", err
	}
	return int(binary.BigEndian.Uint16(e)), name, descriptor, nil
}

// MethodHandle returns kind and reference of a MethodHandle constant.
func (p *Pool) MethodHandle(i PoolIndex) (ReferenceKind, PoolIndex, error) {
	e, err := p.operand(i, TagMethodHandle)
	if err != nil {
		return 0, 0, err
	}
	return ReferenceKind(e[0]), index(e[1:]), nil
}

// Integer returns the value of an Integer constant.
func (p *Pool) Integer(i PoolIndex) (int32, error) {
	e, err := p.operand(i, TagInteger)
	if err != nil {
		return 0, err
	}
	return int32(binary.BigEndian.Uint32(e)), nil
}

// Float returns the value of a Float constant.
func (p *Pool) Float(i PoolIndex) (float32, error) {
	e, err := p.operand(i, TagFloat)
	if err != nil {
		return 0, err
	}
	return math.Float32frombits(binary.BigEndian.Uint32(e)), nil
}

// Long returns the value of a Long constant.
func (p *Pool) Long(i PoolIndex) (int64, error) {
	e, err := p.operand(i, TagLong)
	if err != nil {
		return 0, err
	}
	return int64(binary.BigEndian.Uint64(e)), nil
}

// Double returns the value of a Double constant.
func (p *Pool) Double(i PoolIndex) (float64, error) {
	e, err := p.operand(i, TagDouble)
	if err != nil {
		return 0, err
	}
	return math.Float64frombits(binary.BigEndian.Uint64(e)), nil
}

// index reads the pool index at the start of b.
func index(b []byte) PoolIndex { return PoolIndex(binary.BigEndian.Uint16(b)) }
