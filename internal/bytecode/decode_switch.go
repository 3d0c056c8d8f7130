package bytecode

import (
	"fmt"
	"io"
)

// switchTable returns the offset of the default of the switch at pc: the next
// multiple of four.
func switchTable(pc int) int { return pc + 4 - pc&3 }

// switchSize returns the length of the switch at pc, from the opcode to the end
// of its table, which is inside b.
func switchSize(b []byte, pc int) (int, error) {
	at := switchTable(pc)
	if at+8 > len(b) {
		return 0, io.ErrUnexpectedEOF
	}
	var size int64 // from the default on
	if Opcode(b[pc]) == OpTableswitch {
		if at+12 > len(b) {
			return 0, io.ErrUnexpectedEOF
		}
		low, high := int32At(b, at+4), int32At(b, at+8)
		if low > high {
			return 0, fmt.Errorf("low %d over high %d", low, high)
		}
		size = 12 + 4*(int64(high)-int64(low)+1)
	} else {
		pairs := int32At(b, at+4)
		if pairs < 0 {
			return 0, fmt.Errorf("%d pairs", pairs)
		}
		size = 8 + 8*int64(pairs)
	}
	if size > int64(len(b)-at) {
		return 0, io.ErrUnexpectedEOF
	}
	return at - pc + int(size), nil
}

// decodeSwitch decodes the switch at pc, whose size was checked.
func (d *decoder) decodeSwitch(b []byte, pc int) (Switch, error) {
	var s Switch
	at := switchTable(pc)
	copy(s.Padding[:], b[pc+1:at])
	target := func(at int) (Label, error) { return d.target(pc + int(int32At(b, at))) }
	var err error
	if s.Default, err = target(at); err != nil {
		return s, err
	}
	n, first, step := 0, at+12, 4
	if Opcode(b[pc]) == OpTableswitch {
		s.Low, s.High = int32At(b, at+4), int32At(b, at+8)
		n = int(int64(s.High) - int64(s.Low) + 1)
	} else {
		n, step = int(int32At(b, at+4)), 8
		s.Keys = make([]int32, n)
		for k := range s.Keys {
			s.Keys[k] = int32At(b, at+8+8*k)
		}
	}
	s.Targets = make([]Label, n)
	for k := range s.Targets {
		if s.Targets[k], err = target(first + step*k); err != nil {
			return s, err
		}
	}
	return s, nil
}
