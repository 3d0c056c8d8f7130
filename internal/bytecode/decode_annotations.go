package bytecode

import (
	"errors"

	"mallard/internal/classfile"
)

// targetInfoBytes is the size of target_info for the targets of declarations;
// compilers have put them into Code.
var targetInfoBytes = map[classfile.TargetType]int{
	0x00: 1, 0x01: 1, 0x10: 2, 0x11: 2, 0x12: 2, 0x13: 0, 0x14: 0, 0x15: 0, 0x16: 1, 0x17: 2,
}

// annotations decodes type annotations; ok is false if they are not well
// formed, and then out is as it was.
func (d *decoder) annotations(out *Code, r *cursor) (n int, ok bool) {
	annotations, ranges := len(out.Annotations), len(out.Ranges)
	n = r.table(6)
	for range n {
		a := TypeAnnotation{TargetType: classfile.TargetType(r.u1()), first: int32(len(out.Ranges))}
		rest := r.b
		switch t := a.TargetType; {
		case t == classfile.TargetLocalVariable || t == classfile.TargetResourceVariable:
			a.ranges = uint16(r.table(6))
			for range a.ranges {
				start, length, slot := int(r.u2()), int(r.u2()), r.u2()
				out.Ranges = append(out.Ranges, VariableRange{d.label(start), d.label(start + length), slot})
			}
			rest = r.b
		case t == classfile.TargetExceptionParameter:
			a.Index = r.u2()
			rest = r.b
		case t >= classfile.TargetInstanceof && t <= classfile.TargetMethodReferenceArgument:
			a.At = d.label(int(r.u2()))
			if t >= classfile.TargetCast {
				a.Index = uint16(r.u1())
			}
			rest = r.b
		default:
			size, known := targetInfoBytes[t]
			if !known {
				r.fail(errors.New("unknown target"))
			}
			r.take(size)
		}
		r.take(2 * int(r.u1())) // target_path
		r.skipAnnotation(0)
		if r.err != nil {
			break
		}
		a.Rest = rest[:len(rest)-len(r.b)]
		out.Annotations = append(out.Annotations, a)
	}
	if r.finish() != nil {
		out.Annotations, out.Ranges = out.Annotations[:annotations], out.Ranges[:ranges]
		return 0, false
	}
	return n, true
}

// skipAnnotation reads over type_index and the element-value pairs.
func (r *cursor) skipAnnotation(depth int) {
	r.u2()
	for range r.table(3) {
		r.u2()
		r.skipElement(depth + 1)
	}
}

// skipElement reads over an element_value (JVMS 4.7.16.1).
func (r *cursor) skipElement(depth int) {
	if depth > classfile.MaxElementDepth {
		r.fail(errors.New("annotation nested too deeply"))
	}
	if r.err != nil {
		return
	}
	switch r.u1() {
	case 'B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z', 's', 'c':
		r.u2()
	case 'e':
		r.take(4)
	case '@':
		r.skipAnnotation(depth)
	case '[':
		for range r.table(1) {
			r.skipElement(depth + 1)
		}
	default:
		r.fail(errors.New("unknown element value"))
	}
}
