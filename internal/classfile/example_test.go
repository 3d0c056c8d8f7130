package classfile_test

import (
	"fmt"

	"mallard/internal/classfile"
)

// A class is made, encoded and parsed again; then its one method gets room for
// two more operands.
func Example() {
	p := classfile.NewPool()
	this, _ := p.AddClass("example/Empty")
	super, _ := p.AddClass("java/lang/Object")
	name, _ := p.AddUtf8("run")
	descriptor, _ := p.AddUtf8("()V")
	made := classfile.Class{
		Major: 52, Pool: p, AccessFlags: classfile.AccPublic | classfile.AccSuper, ThisClass: this, SuperClass: super,
		Methods: []classfile.Member{{AccessFlags: classfile.AccStatic, Name: name, Descriptor: descriptor}},
	}
	body, _ := (&classfile.Code{Bytecode: []byte{0xb1}}).AppendTo(nil) // return
	made.Methods[0].Attributes, _ = p.SetAttribute(nil, classfile.AttrCode, body)
	b, _ := made.AppendTo(nil)

	c, err := classfile.Parse(b)
	if err != nil {
		fmt.Println(err)
		return
	}
	a := c.Pool.FindAttribute(c.FindMethod("run", "()V").Attributes, classfile.AttrCode)
	code, err := classfile.DecodeCode(a.Info)
	if err != nil {
		fmt.Println(err)
		return
	}
	code.MaxStack += 2
	a.Info, _ = code.AppendTo(nil)
	longer, _ := c.AppendTo(nil)

	class, _ := c.Name()
	fmt.Println(classfile.JavaName(class), len(b), "->", len(longer), "bytes")
	fmt.Println("max_stack", code.MaxStack, "code_length", len(code.Bytecode))
	// Output:
	// example.Empty 111 -> 111 bytes
	// max_stack 2 code_length 1
}
