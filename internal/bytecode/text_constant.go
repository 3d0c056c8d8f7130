package bytecode

import (
	"fmt"
	"strconv"

	"mallard/internal/classfile"
)

// constant returns a constant as the listing shows it.
func (l *listing) constant(i classfile.PoolIndex) string {
	text, err := l.constantText(i)
	if err != nil {
		return fmt.Sprintf("#%d", i)
	}
	return text
}

func (l *listing) constantText(i classfile.PoolIndex) (string, error) {
	p := l.pool
	if p == nil {
		return fmt.Sprintf("#%d", i), nil
	}
	switch tag := p.Tag(i); tag {
	case classfile.TagUtf8:
		return p.Utf8(i)
	case classfile.TagInteger:
		v, err := p.Integer(i)
		return fmt.Sprintf("int %d", v), err
	case classfile.TagFloat:
		v, err := p.Float(i)
		return fmt.Sprintf("float %g", v), err
	case classfile.TagLong:
		v, err := p.Long(i)
		return fmt.Sprintf("long %d", v), err
	case classfile.TagDouble:
		v, err := p.Double(i)
		return fmt.Sprintf("double %g", v), err
	case classfile.TagString:
		v, err := p.StringValue(i)
		return strconv.Quote(v), err
	case classfile.TagClass:
		v, err := p.ClassName(i)
		return "class " + v, err
	case classfile.TagMethodType:
		v, err := p.MethodType(i)
		return "methodtype " + v, err
	case classfile.TagFieldref:
		class, name, descriptor, err := p.Ref(i)
		return class + "." + name + ":" + descriptor, err
	case classfile.TagMethodref:
		class, name, descriptor, err := p.Ref(i)
		return class + "." + name + descriptor, err
	case classfile.TagInterfaceMethodref:
		class, name, descriptor, err := p.Ref(i)
		return "interface " + class + "." + name + descriptor, err
	case classfile.TagMethodHandle:
		kind, ref, err := p.MethodHandle(i)
		return fmt.Sprintf("handle %d %s", kind, l.constant(ref)), err
	case classfile.TagDynamic, classfile.TagInvokeDynamic:
		bootstrap, name, descriptor, err := p.Dynamic(i)
		return fmt.Sprintf("bootstrap %d %s:%s", bootstrap, name, descriptor), err
	default:
		return fmt.Sprintf("#%d", i), nil
	}
}

// class returns the name of a Class constant.
func (l *listing) class(i classfile.PoolIndex) string {
	if l.pool != nil {
		if name, err := l.pool.ClassName(i); err == nil {
			return name
		}
	}
	return fmt.Sprintf("#%d", i)
}
