package bytecode

import (
	"fmt"

	"mallard/internal/classfile"
)

// attributes decodes the attributes of Code that have labels.
func (d *decoder) attributes(out *Code, list []classfile.Attribute, p *classfile.Pool) error {
	if len(list) == 0 {
		return nil
	}
	out.Attributes = make([]Attribute, len(list))
	frames := false
	for i, a := range list {
		name, err := p.Utf8(a.Name)
		if err != nil {
			return err
		}
		o := &out.Attributes[i]
		o.Name = a.Name
		r := &cursor{b: a.Info}
		switch name {
		case classfile.AttrStackMapTable:
			if frames {
				return fmt.Errorf("a second StackMapTable")
			}
			frames = true
			o.Kind = StackMapTable
			o.Count, err = d.frames(out, r)
		case classfile.AttrLineNumberTable:
			o.Kind = LineNumberTable
			o.Count = d.lines(out, r)
			err = r.finish()
		case classfile.AttrLocalVariableTable, classfile.AttrLocalVariableTypeTable:
			o.Kind = LocalVariableTable
			o.Count = d.variables(out, r)
			err = r.finish()
		case classfile.AttrRuntimeVisibleTypeAnnotations, classfile.AttrRuntimeInvisibleTypeAnnotations:
			// The JVM does not read them: what is no annotation is kept as it is.
			var ok bool
			if o.Count, ok = d.annotations(out, r); ok {
				o.Kind = TypeAnnotations
			} else {
				o.Info = a.Info
			}
		default:
			o.Info = a.Info
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (d *decoder) lines(out *Code, r *cursor) int {
	n := r.table(4)
	if out.Lines == nil && n > 0 {
		out.Lines = make([]Line, 0, n)
	}
	for range n {
		b := r.take(4)
		out.Lines = append(out.Lines, Line{d.label(int(uint16At(b, 0))), uint16At(b, 2)})
	}
	return n
}

func (d *decoder) variables(out *Code, r *cursor) int {
	n := r.table(10)
	if out.Variables == nil && n > 0 {
		out.Variables = make([]Variable, 0, n)
	}
	for range n {
		b := r.take(10)
		start := int(uint16At(b, 0))
		out.Variables = append(out.Variables, Variable{
			Start: d.label(start), End: d.label(start + int(uint16At(b, 2))),
			Name: classfile.PoolIndex(uint16At(b, 4)), Type: classfile.PoolIndex(uint16At(b, 6)),
			Slot: uint16At(b, 8),
		})
	}
	return n
}

// frames decodes a StackMapTable. Offsets are added modulo 65536, so that any
// delta comes out again.
func (d *decoder) frames(out *Code, r *cursor) (int, error) {
	n := r.table(1)
	out.Frames = make([]Frame, 0, n)
	out.Types = make([]VerificationType, 0, len(r.b)/3) // three bytes for most
	pc := -1
	for i := range n {
		var f Frame
		f.first = int32(len(out.Types))
		tag := r.u1()
		delta := int(tag & 63)
		switch {
		case tag < 64:
			f.Kind = SameFrame
		case tag < 128:
			f.Kind, f.stack = Stack1Frame, 1
		case tag < 247:
			return 0, fmt.Errorf("frame %d: reserved type %d", i, tag)
		default:
			delta = int(r.u2())
			switch {
			case tag == 247:
				f.Kind, f.stack = Stack1FrameExtended, 1
			case tag < 251:
				f.Kind, f.Chop = ChopFrame, 251-tag
			case tag == 251:
				f.Kind = SameFrameExtended
			case tag < 255:
				f.Kind, f.locals = AppendFrame, uint16(tag-251)
			default:
				f.Kind = FullFrame
				f.locals = uint16(r.table(1))
			}
		}
		pc = (pc + delta + 1) & 0xffff
		f.At = d.label(pc)
		d.types(out, r, int(f.locals))
		if f.Kind == FullFrame {
			f.stack = uint16(r.table(1))
		}
		d.types(out, r, int(f.stack))
		if r.err != nil {
			return 0, fmt.Errorf("frame %d: %w", i, r.err)
		}
		out.Frames = append(out.Frames, f)
	}
	return n, r.finish()
}

// types decodes n verification types.
func (d *decoder) types(out *Code, r *cursor, n int) {
	for range n {
		t := VerificationType{Tag: TypeTag(r.u1())}
		switch t.Tag {
		case Object:
			t.Arg = int32(r.u2())
		case Uninitialized:
			t.Arg = int32(d.label(int(r.u2())))
		}
		if t.Tag > Uninitialized {
			r.fail(fmt.Errorf("verification type %d", t.Tag))
		}
		if r.err != nil {
			return
		}
		out.Types = append(out.Types, t)
	}
}
