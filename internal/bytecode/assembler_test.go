package bytecode

import (
	"fmt"
	"strconv"
	"strings"

	"mallard/internal/classfile"
)

// An assembler reads what Code.Text writes, except attributes, annotations and
// some constants. Offsets in front of instructions are skipped; labels may
// have any name.
type assembler struct {
	code   Code
	pool   *classfile.Pool
	labels map[string]Label
	err    error
}

var opcodeOf = func() map[string]Opcode {
	ops := map[string]Opcode{}
	for b := range 256 {
		if op := Opcode(b); op.Valid() {
			ops[op.String()] = op
		}
	}
	return ops
}()

// assemble reads a listing; constants are added to p.
func assemble(text string, p *classfile.Pool) (*Code, error) {
	a := assembler{pool: p, labels: map[string]Label{}}
	var lines [][]string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, ";;")
		words := strings.Fields(strings.NewReplacer("[", " [ ", "]", " ] ").Replace(line))
		if strings.Contains(line, "(") || strings.Contains(line, ":[") || strings.Contains(line, "array ") {
			words = strings.Fields(line) // brackets of descriptors
		}
		if len(words) > 1 {
			if _, err := strconv.Atoi(words[0]); err == nil {
				words = words[1:]
			}
		}
		if len(words) > 0 {
			lines = append(lines, words)
		}
	}
	next := Label(0)
	for _, words := range lines {
		if name, ok := strings.CutSuffix(words[0], ":"); ok {
			a.labels[name] = next
		} else if _, ok := opcodeOf[words[0]]; ok || words[0] == "wide" {
			next++
		}
	}
	for _, words := range lines {
		a.line(words)
		if a.err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(words, " "), a.err)
		}
	}
	a.attribute("LineNumberTable", LineNumberTable, len(a.code.Lines))
	a.attribute("LocalVariableTable", LocalVariableTable, len(a.code.Variables))
	a.attribute("StackMapTable", StackMapTable, len(a.code.Frames))
	return &a.code, a.err
}

func (a *assembler) attribute(name string, kind AttributeKind, n int) {
	if n > 0 {
		a.code.Attributes = append(a.code.Attributes, Attribute{Name: must(a.pool.AddUtf8(name)), Kind: kind, Count: n})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (a *assembler) number(word string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(word, ","))
	if err != nil {
		a.err = err
	}
	return n
}

func (a *assembler) label(name string) Label {
	if pc, ok := strings.CutPrefix(name, "@"); ok {
		return Stray(a.number(pc))
	}
	l, ok := a.labels[name]
	if !ok {
		a.err = fmt.Errorf("no label %q", name)
	}
	return l
}

func (a *assembler) class(name string) classfile.PoolIndex { return must(a.pool.AddClass(name)) }

func (a *assembler) line(words []string) {
	c, here := &a.code, Label(len(a.code.Insns))
	switch words[0] {
	case "max_stack":
		c.MaxStack, c.MaxLocals = uint16(a.number(words[1])), uint16(a.number(words[3]))
	case "line":
		c.Lines = append(c.Lines, Line{here, uint16(a.number(words[1]))})
	case "frame":
		a.frame(here, words[1:])
	case "handler", "variable":
		from, to, _ := strings.Cut(words[1], "..")
		if words[0] == "variable" {
			c.Variables = append(c.Variables, Variable{a.label(from), a.label(to), must(a.pool.AddUtf8(words[3])),
				must(a.pool.AddUtf8(words[4])), uint16(a.number(words[2]))})
			return
		}
		h := Handler{Start: a.label(from), End: a.label(to), Target: a.label(words[3])}
		if words[4] != "any" {
			h.CatchType = a.class(words[4])
		}
		c.Handlers = append(c.Handlers, h)
	default:
		if !strings.HasSuffix(words[0], ":") {
			a.instruction(words)
		}
	}
}

var frameKindOf = map[string]FrameKind{
	"same": SameFrame, "same_extended": SameFrameExtended, "same_locals_1": Stack1Frame,
	"same_locals_1_extended": Stack1FrameExtended, "chop": ChopFrame, "append": AppendFrame, "full": FullFrame,
}

func (a *assembler) frame(at Label, words []string) {
	kind, ok := frameKindOf[words[0]]
	if !ok {
		a.err = fmt.Errorf("unknown frame")
		return
	}
	if kind == ChopFrame {
		a.code.AddFrame(at, kind, uint8(a.number(words[1])), nil, nil)
		return
	}
	var lists [][]VerificationType
	for _, w := range words[1:] {
		switch {
		case w == "[":
			lists = append(lists, nil)
		case w == "]":
		default:
			lists[len(lists)-1] = append(lists[len(lists)-1], a.verificationType(w))
		}
	}
	switch kind {
	case FullFrame:
		a.code.AddFrame(at, kind, 0, lists[0], lists[1])
	case AppendFrame:
		a.code.AddFrame(at, kind, 0, lists[0], nil)
	case Stack1Frame, Stack1FrameExtended:
		a.code.AddFrame(at, kind, 0, nil, lists[0])
	default:
		a.code.AddFrame(at, kind, 0, nil, nil)
	}
}

func (a *assembler) verificationType(word string) VerificationType {
	for tag, name := range typeNames {
		if name == word {
			return VerificationType{Tag: TypeTag(tag)}
		}
	}
	if at, ok := strings.CutPrefix(word, "new:"); ok {
		return VerificationType{Uninitialized, int32(a.label(at))}
	}
	return VerificationType{Object, int32(a.class(word))}
}

func (a *assembler) instruction(words []string) {
	var in Instruction
	if words[0] == "wide" {
		in.Wide, words = true, words[1:]
	}
	op, ok := opcodeOf[words[0]]
	if !ok {
		a.err = fmt.Errorf("unknown instruction")
		return
	}
	in.Op, words = op, words[1:]
	switch op.Operands() {
	case NoOperand:
	case Constant8, Constant:
		in.Arg = int32(a.loadable(words))
	case Field, Method, InterfaceMethod:
		in.Arg = int32(a.ref(op, words[0]))
		if op == OpInvokeinterface {
			in.Arg = int32(a.ref(op, words[1]))
			in.Extra = int16(a.number(words[2]) << 8)
		}
	case Class:
		in.Arg = int32(a.class(words[0]))
	case MultiArray:
		in.Arg, in.Extra = int32(a.class(words[0])), int16(a.number(words[1]))
	case Branch, WideBranch:
		in.Arg = int32(a.label(words[0]))
	case TableSwitch, LookupSwitch:
		in.Arg = int32(len(a.code.Switches))
		a.code.Switches = append(a.code.Switches, a.switchTable(op, words))
	case Increment:
		in.Arg, in.Extra = int32(a.number(words[0])), int16(a.number(words[1]))
	default:
		in.Arg = int32(a.number(words[0]))
	}
	a.code.Insns = append(a.code.Insns, in)
}

func (a *assembler) switchTable(op Opcode, words []string) Switch {
	var s Switch
	for _, w := range words {
		key, label, _ := strings.Cut(w, ":")
		if key == "default" {
			s.Default = a.label(label)
			continue
		}
		s.Keys = append(s.Keys, int32(a.number(key)))
		s.Targets = append(s.Targets, a.label(label))
	}
	if op == OpTableswitch {
		s.Low, s.High, s.Keys = s.Keys[0], s.Keys[len(s.Keys)-1], nil
	}
	return s
}

func (a *assembler) loadable(words []string) classfile.PoolIndex {
	switch words[0] {
	case "int":
		return must(a.pool.AddInteger(int32(a.number(words[1]))))
	case "long":
		return must(a.pool.AddLong(int64(a.number(words[1]))))
	case "class":
		return a.class(words[1])
	}
	return must(a.pool.AddString(must(strconv.Unquote(strings.Join(words, " ")))))
}

func (a *assembler) ref(op Opcode, text string) classfile.PoolIndex {
	if op.Operands() == Field {
		member, descriptor, _ := strings.Cut(text, ":")
		dot := strings.LastIndex(member, ".")
		return must(a.pool.AddFieldref(member[:dot], member[dot+1:], descriptor))
	}
	paren := strings.IndexByte(text, '(')
	if paren < 0 {
		return 0
	}
	dot := strings.LastIndex(text[:paren], ".")
	add := a.pool.AddMethodref
	if op == OpInvokeinterface {
		add = a.pool.AddInterfaceMethodref
	}
	return must(add(text[:dot], text[dot+1:paren], text[paren:]))
}
