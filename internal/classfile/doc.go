// Package classfile is the container of JVMS chapter 4: a class file taken
// apart into constant pool, members and attributes, and put together again.
//
// Parse and Class.AppendTo are exact inverses for every file Parse accepts.
// Parse is lazy: it notes where pool entries are and which bytes belong to
// which attribute; attributes become typed values only on request. So a class
// of which one method changes costs little more than copying it:
//
//	c, err := classfile.Parse(b)
//	...
//	for i := range c.Methods {
//		a := c.Pool.FindAttribute(c.Methods[i].Attributes, classfile.AttrCode)
//		if a == nil {
//			continue // abstract or native
//		}
//		code, err := classfile.DecodeCode(a.Info)
//		...
//		code.MaxStack += 2
//		a.Info, err = code.AppendTo(nil)
//	}
//	b, err = c.AppendTo(nil)
//
// The package never looks into bytecode, resolves nothing and verifies
// nothing: it reports what the structures of chapter 4 rule out, not what
// linking would refuse. It takes bytes from anybody. Decoders return errors
// and never panic, and what they allocate is bounded by the length of their
// input (see limits.go).
package classfile
