package bytecode

import (
	"fmt"
	"io"
)

// CheckIndexes reports an operand that is an index past the end of a pool of
// limit constants, or bytes that are no instructions.
func CheckIndexes(b []byte, limit int) error {
	for pc := 0; pc < len(b); {
		op := Opcode(b[pc])
		size := int(opcodeSize[op])
		if size == 0 {
			var err error
			if size, err = variableSize(b, pc); err != nil {
				return fmt.Errorf("bytecode: pc %d: %w", pc, err)
			}
		}
		if size > len(b)-pc {
			return fmt.Errorf("bytecode: pc %d: %s: %w", pc, op, io.ErrUnexpectedEOF)
		}
		index := 0
		switch opcodes[op].operands {
		case Constant8:
			index = int(b[pc+1])
		case Constant, Field, Method, InterfaceMethod, Dynamic, Class, MultiArray:
			index = int(uint16At(b, pc+1))
		}
		if index >= limit {
			return fmt.Errorf("bytecode: pc %d: %s: constant %d is outside the pool of %d", pc, op, index, limit)
		}
		pc += size
	}
	return nil
}
