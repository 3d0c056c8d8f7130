package bytecode

import (
	"errors"
	"fmt"

	"mallard/internal/classfile"
)

// StackEffect returns how many operand stack slots an instruction takes and
// how many it then puts there. p resolves what fields and invokes refer to; it
// may be nil for other instructions.
func (in Instruction) StackEffect(p *classfile.Pool) (pops, pushes int, err error) {
	row := &opcodes[in.Op]
	pops, pushes = int(row.pops), int(row.pushes)
	if row.flags&varies == 0 {
		return pops, pushes, nil
	}
	descriptor := ""
	switch row.operands {
	case MultiArray:
		return int(in.Extra), pushes, nil
	case Dynamic:
		_, _, descriptor, err = p.Dynamic(in.Pool())
	default:
		_, _, descriptor, err = p.Ref(in.Pool())
	}
	if err != nil {
		return 0, 0, fmt.Errorf("bytecode: %s: %w", in.Op, err)
	}
	if row.operands == Field {
		if in.Op == OpGetfield || in.Op == OpGetstatic {
			return pops, pushes + classfile.Slots(descriptor), nil
		}
		return pops + classfile.Slots(descriptor), pushes, nil
	}
	args, result, err := DescriptorSlots(descriptor)
	if err != nil {
		return 0, 0, fmt.Errorf("bytecode: %s: %w", in.Op, err)
	}
	return pops + args, pushes + result, nil
}

var errDescriptor = errors.New("malformed method descriptor")

// DescriptorSlots returns the slots that the parameters of a method descriptor
// take, without a receiver, and those of its result. Class names in it are not
// checked.
func DescriptorSlots(descriptor string) (args, result int, err error) {
	d := descriptor
	if d == "" || d[0] != '(' {
		return 0, 0, errDescriptor
	}
	for i := 1; i < len(d); {
		if d[i] == ')' {
			if i+1 == len(d) {
				return 0, 0, errDescriptor
			}
			return args, classfile.Slots(d[i+1:]), nil
		}
		size := 1
		if d[i] == 'J' || d[i] == 'D' {
			size = 2
		}
		for i < len(d) && d[i] == '[' {
			i++
		}
		if i < len(d) && d[i] == 'L' {
			for i < len(d) && d[i] != ';' {
				i++
			}
		}
		i++
		args += size
	}
	return 0, 0, errDescriptor
}
