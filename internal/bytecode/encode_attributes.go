package bytecode

import (
	"encoding/binary"
	"fmt"
	"math"

	"mallard/internal/classfile"
)

// attributesSize returns how many bytes the contents of attributes with labels
// have at most, type annotations aside.
func (c *Code) attributesSize() int {
	return 2*len(c.Attributes) + 7*len(c.Frames) + 3*len(c.Types) + 4*len(c.Lines) + 10*len(c.Variables)
}

// encodeAttributes writes the attributes of Code in their order, their contents
// behind what is in b already.
func (c *Code) encodeAttributes(out *classfile.Code, b []byte, e *encoder) error {
	if len(c.Attributes) == 0 {
		return nil
	}
	out.Attributes = make([]classfile.Attribute, len(c.Attributes))
	frames, lines, variables, annotations := c.Frames, c.Lines, c.Variables, c.Annotations
	for i, a := range c.Attributes {
		o := &out.Attributes[i]
		o.Name = a.Name
		start := len(b)
		var ok bool
		switch a.Kind {
		case Opaque:
			o.Info = a.Info
			continue
		case StackMapTable:
			var own []Frame
			if own, frames, ok = cut(frames, a.Count); ok {
				b = c.appendFrames(b, own, e)
			}
		case LineNumberTable:
			var own []Line
			if own, lines, ok = cut(lines, a.Count); ok {
				b = appendLines(b, own, e)
			}
		case LocalVariableTable:
			var own []Variable
			if own, variables, ok = cut(variables, a.Count); ok {
				b = appendVariables(b, own, e)
			}
		case TypeAnnotations:
			var own []TypeAnnotation
			if own, annotations, ok = cut(annotations, a.Count); ok {
				b = c.appendAnnotations(b, own, e)
			}
		}
		if !ok {
			return fmt.Errorf("attribute %d: %d entries of kind %d are not there", i, a.Count, a.Kind)
		}
		o.Info = b[start:len(b):len(b)]
	}
	return nil
}

// cut takes the first n entries of a table that fit a u2 count.
func cut[T any](table []T, n int) (first, rest []T, ok bool) {
	if n < 0 || n > len(table) || n > math.MaxUint16 {
		return nil, nil, false
	}
	return table[:n], table[n:], true
}

func appendLines(b []byte, lines []Line, e *encoder) []byte {
	b = u2(b, len(lines))
	for _, l := range lines {
		pc := e.u2(l.Start)
		b = append(b, byte(pc>>8), byte(pc), byte(l.Line>>8), byte(l.Line))
	}
	return b
}

func appendVariables(b []byte, variables []Variable, e *encoder) []byte {
	b = u2(b, len(variables))
	for _, v := range variables {
		b = u2(b, int(e.u2(v.Start)))
		b = u2(b, int(e.length(v.Start, v.End)))
		b = u2(b, int(v.Name))
		b = u2(b, int(v.Type))
		b = u2(b, int(v.Slot))
	}
	return b
}

// appendFrames writes a StackMapTable in the forms that the frames have.
func (c *Code) appendFrames(b []byte, frames []Frame, e *encoder) []byte {
	b = u2(b, len(frames))
	previous := -1
	for i := range frames {
		f := &frames[i]
		pc := e.pc(f.At)
		delta := offsetDelta(previous, pc)
		previous = pc
		locals, stack := c.Locals(f), c.Stack(f)
		switch f.Kind {
		case SameFrame, Stack1Frame:
			if delta > maxShortDelta {
				e.fail(fmt.Errorf("frame %d: offset delta %d needs the extended form", i, delta))
			}
			b = append(b, byte(delta))
			if f.Kind == Stack1Frame {
				b[len(b)-1] += 64
			}
		case SameFrameExtended:
			b = u2(append(b, 251), delta)
		case Stack1FrameExtended:
			b = u2(append(b, 247), delta)
		case ChopFrame:
			b = u2(append(b, 251-f.Chop), delta)
		case AppendFrame:
			b = u2(append(b, 251+byte(len(locals))), delta)
		case FullFrame:
			b = u2(append(b, 255), delta)
			b = u2(b, len(locals))
			b = appendTypes(b, locals, e)
			b = u2(b, len(stack))
			b = appendTypes(b, stack, e)
			continue
		}
		b = appendTypes(b, locals, e)
		b = appendTypes(b, stack, e)
	}
	return b
}

func appendTypes(b []byte, types []VerificationType, e *encoder) []byte {
	for _, t := range types {
		b = append(b, byte(t.Tag))
		switch t.Tag {
		case Object:
			b = u2(b, int(t.Arg))
		case Uninitialized:
			b = u2(b, int(e.u2(Label(t.Arg))))
		}
	}
	return b
}

func (c *Code) appendAnnotations(b []byte, annotations []TypeAnnotation, e *encoder) []byte {
	b = u2(b, len(annotations))
	for i := range annotations {
		a := &annotations[i]
		b = append(b, byte(a.TargetType))
		switch t := a.TargetType; {
		case t == classfile.TargetLocalVariable || t == classfile.TargetResourceVariable:
			ranges := c.VariableRanges(a)
			b = u2(b, len(ranges))
			for _, r := range ranges {
				b = u2(b, int(e.u2(r.Start)))
				b = u2(b, int(e.length(r.Start, r.End)))
				b = u2(b, int(r.Slot))
			}
		case t == classfile.TargetExceptionParameter:
			b = u2(b, int(a.Index))
		case t >= classfile.TargetInstanceof && t <= classfile.TargetMethodReferenceArgument:
			b = u2(b, int(e.u2(a.At)))
			if t >= classfile.TargetCast {
				b = append(b, byte(a.Index))
			}
		}
		b = append(b, a.Rest...)
	}
	return b
}

func u2(b []byte, v int) []byte { return binary.BigEndian.AppendUint16(b, uint16(v)) }
