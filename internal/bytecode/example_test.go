package bytecode_test

import (
	"fmt"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// A countdown loop gets code on its back edge: it comes to stand in a pad
// before the loop, and those who enter the loop go around it.
func ExampleCode_Rewrite() {
	pool := classfile.NewPool()
	body := &classfile.Code{MaxStack: 1, MaxLocals: 1, Bytecode: []byte{
		0x84, 0, 0xff, // 0: iinc 0 -1
		0x1a,             // 3: iload_0
		0x9d, 0xff, 0xfc, // 4: ifgt 0
		0xb1, // 7: return
	}}
	code, err := bytecode.Decode(body, pool)
	if err != nil {
		fmt.Println(err)
		return
	}
	code.Version = 49 // no frames, to keep it short
	rewritten, err := code.Rewrite([]bytecode.Insertion{{
		At: 0, Position: bytecode.Taken, From: []int{2},
		Code: []bytecode.Instruction{bytecode.Insn(bytecode.OpNop)},
	}, {
		At: 0, Position: bytecode.FallThrough,
		Code: []bytecode.Instruction{bytecode.PushInt(5), bytecode.Insn(bytecode.OpPop)}, Stack: 1,
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(rewritten.Body.Text(pool))
	fmt.Println("iload_0 is at", rewritten.PC(1))
	// Output:
	// max_stack 2, max_locals 1
	// 0	iconst_5
	// 1	pop
	// 2	goto L4
	// L3:
	// 5	nop
	// L4:
	// 6	iinc 0 -1
	// 9	iload_0
	// 10	ifgt L3
	// 13	return
	// iload_0 is at 9
}
