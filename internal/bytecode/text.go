package bytecode

import (
	"fmt"
	"strconv"
	"strings"

	"mallard/internal/classfile"
)

// Text returns a listing for people and golden files:
//
//	max_stack 2, max_locals 1
//	    line 7
//	 0  aload_0
//	 1  ifnull L4
//	 4  aload_0
//	 5  invokevirtual java/lang/Object.hashCode()I
//	 8  ireturn
//	L4:
//	    frame same
//	 9  iconst_0
//	10  ireturn
//
// Labels are instruction indexes; a stray one is written as its offset, @17.
// p resolves constants; without one they are written as #5.
func (c *Code) Text(p *classfile.Pool) string {
	l := listing{code: c, pool: p, named: c.namedLabels()}
	fmt.Fprintf(&l.b, "max_stack %d, max_locals %d\n", c.MaxStack, c.MaxLocals)
	pcs, err := c.layout(nil)
	if err != nil {
		pcs = nil
	}
	lines, frames := c.Lines, c.Frames
	for i := 0; i <= len(c.Insns); i++ {
		at := Label(i)
		if l.named[at] {
			fmt.Fprintf(&l.b, "%s:\n", l.label(at))
		}
		for len(lines) > 0 && lines[0].Start == at {
			fmt.Fprintf(&l.b, "\tline %d\n", lines[0].Line)
			lines = lines[1:]
		}
		for len(frames) > 0 && frames[0].At == at {
			fmt.Fprintf(&l.b, "\tframe %s\n", l.frame(&frames[0]))
			frames = frames[1:]
		}
		if i < len(c.Insns) {
			if pcs != nil {
				l.b.WriteString(strconv.Itoa(int(pcs[i])))
			}
			fmt.Fprintf(&l.b, "\t%s\n", l.instruction(c.Insns[i]))
		}
	}
	// What is left did not come in order of its label.
	for _, line := range lines {
		fmt.Fprintf(&l.b, "line %d at %s\n", line.Line, l.label(line.Start))
	}
	for i := range frames {
		fmt.Fprintf(&l.b, "frame at %s %s\n", l.label(frames[i].At), l.frame(&frames[i]))
	}
	l.tables()
	return l.b.String()
}

// namedLabels returns the labels that are written out.
func (c *Code) namedLabels() map[Label]bool {
	found := map[Label]bool{}
	for i := range c.Insns {
		for l := range c.Targets(i) {
			found[l] = true
		}
	}
	for _, h := range c.Handlers {
		found[h.Start], found[h.End], found[h.Target] = true, true, true
	}
	for _, f := range c.Frames {
		found[f.At] = true
	}
	for _, t := range c.Types {
		if t.Tag == Uninitialized {
			found[Label(t.Arg)] = true
		}
	}
	for _, v := range c.Variables {
		found[v.Start], found[v.End] = true, true
	}
	for i := range c.Annotations {
		if a := &c.Annotations[i]; a.TargetType >= classfile.TargetInstanceof &&
			a.TargetType <= classfile.TargetMethodReferenceArgument {
			found[a.At] = true
		}
	}
	for _, r := range c.Ranges {
		found[r.Start], found[r.End] = true, true
	}
	return found
}

func (l *listing) instruction(in Instruction) string {
	op := in.Op.String()
	if in.Wide {
		op = "wide " + op
	}
	switch in.Op.Operands() {
	case NoOperand:
		return op
	case Increment:
		return fmt.Sprintf("%s %d %d", op, in.Arg, in.Extra)
	case Constant8, Constant, Field, Method, Dynamic:
		return op + " " + l.constant(in.Pool())
	case Class:
		return op + " " + l.class(in.Pool())
	case InterfaceMethod:
		return fmt.Sprintf("%s %s %d", op, l.constant(in.Pool()), uint16(in.Extra)>>8)
	case MultiArray:
		return fmt.Sprintf("%s %s %d", op, l.class(in.Pool()), in.Extra)
	case Branch, WideBranch:
		return op + " " + l.label(in.Target())
	case TableSwitch, LookupSwitch:
		s := &l.code.Switches[in.Arg]
		text := op
		for k, t := range s.Targets {
			key := int64(s.Low) + int64(k)
			if in.Op == OpLookupswitch {
				key = int64(s.Keys[k])
			}
			text += fmt.Sprintf(" %d:%s", key, l.label(t))
		}
		return text + " default:" + l.label(s.Default)
	}
	return fmt.Sprintf("%s %d", op, in.Arg)
}

func (l *listing) frame(f *Frame) string {
	locals, stack := l.types(l.code.Locals(f)), l.types(l.code.Stack(f))
	switch f.Kind {
	case SameFrame:
		return "same"
	case SameFrameExtended:
		return "same_extended"
	case Stack1Frame:
		return "same_locals_1 " + stack
	case Stack1FrameExtended:
		return "same_locals_1_extended " + stack
	case ChopFrame:
		return fmt.Sprintf("chop %d", f.Chop)
	case AppendFrame:
		return "append " + locals
	}
	return "full " + locals + " " + stack
}

var typeNames = [...]string{"top", "int", "float", "double", "long", "null", "uninitializedThis"}

func (l *listing) types(types []VerificationType) string {
	var words []string
	for _, t := range types {
		switch t.Tag {
		case Object:
			words = append(words, l.class(classfile.PoolIndex(t.Arg)))
		case Uninitialized:
			words = append(words, "new:"+l.label(Label(t.Arg)))
		default:
			words = append(words, typeNames[t.Tag])
		}
	}
	return "[" + strings.Join(words, " ") + "]"
}

// tables lists what is not in the code itself.
func (l *listing) tables() {
	c := l.code
	for _, h := range c.Handlers {
		caught := "any"
		if h.CatchType != 0 {
			caught = l.class(h.CatchType)
		}
		fmt.Fprintf(&l.b, "handler %s..%s -> %s %s\n", l.label(h.Start), l.label(h.End), l.label(h.Target), caught)
	}
	for _, v := range c.Variables {
		fmt.Fprintf(&l.b, "variable %s..%s %d %s %s\n", l.label(v.Start), l.label(v.End), v.Slot, l.constant(v.Name),
			l.constant(v.Type))
	}
	for i := range c.Annotations {
		a := &c.Annotations[i]
		fmt.Fprintf(&l.b, "annotation %#02x", a.TargetType)
		switch t := a.TargetType; {
		case t == classfile.TargetLocalVariable || t == classfile.TargetResourceVariable:
			for _, r := range c.VariableRanges(a) {
				fmt.Fprintf(&l.b, " %s..%s %d", l.label(r.Start), l.label(r.End), r.Slot)
			}
		case t == classfile.TargetExceptionParameter:
			fmt.Fprintf(&l.b, " handler %d", a.Index)
		case t >= classfile.TargetInstanceof && t <= classfile.TargetMethodReferenceArgument:
			fmt.Fprintf(&l.b, " %s %d", l.label(a.At), a.Index)
		}
		fmt.Fprintf(&l.b, " %x\n", a.Rest)
	}
	for _, a := range c.Attributes {
		if a.Kind == Opaque {
			fmt.Fprintf(&l.b, "attribute %s %x\n", l.constant(a.Name), a.Info)
		}
	}
}
