package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// An edit has instructions of a library call a static method of ours, which takes from the stack what they take, and
// leaves what they leave.
type edit struct {
	class string // in which, in internal form; "" in all
	what  edited
	owner string // of the method or constructor; or the type of the elements; in internal form
	name  string // of the method; "" of others
	types string // descriptor of the method or constructor; "" of others
	by    string // "owner.name" of our method
}

// edited is which instructions are replaced.
type edited int

const (
	staticCalls   edited = iota // calls of a static method
	constructions               // new, dup, and the call of a constructor
	elementReads                // aaload, in a class that reads arrays of one type only
)

// mostEdited bounds a class file that is read.
const mostEdited = 16 << 20

// applyAll writes a jar with the classes that edits change, and fails if one of these changes nothing. A jar and not
// classes in front of it: packages may be sealed.
func applyAll(edits []edit, jar, to string) error {
	archive, err := zip.OpenReader(jar)
	if err != nil {
		return err
	}
	defer archive.Close()
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	defer file.Close()
	out := zip.NewWriter(file)
	replaced := make([]int, len(edits))
	for _, entry := range archive.File {
		class, err := applyTo(entry, edits, replaced)
		if err == nil && class == nil {
			err = out.Copy(entry)
		} else if err == nil {
			var w io.Writer
			if w, err = out.Create(entry.Name); err == nil {
				_, err = w.Write(class)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", jar, entry.Name, err)
		}
	}
	for i, n := range replaced {
		if n == 0 {
			return fmt.Errorf("%s: nothing is to be replaced by %s", jar, edits[i].by)
		}
	}
	return errors.Join(out.Close(), file.Close())
}

// applyTo gives a class as edits change it; nil if they do not.
func applyTo(entry *zip.File, edits []edit, replaced []int) ([]byte, error) {
	name, isClass := strings.CutSuffix(entry.Name, ".class")
	if !isClass {
		return nil, nil
	}
	in, err := entry.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	raw, err := io.ReadAll(io.LimitReader(in, mostEdited))
	if err != nil {
		return nil, err
	}
	var class *classfile.Class
	before := slices.Clone(replaced)
	for i, e := range edits {
		if e.class != "" && e.class != name || !bytes.Contains(raw, []byte(e.owner)) {
			continue
		}
		if class == nil {
			if class, err = classfile.Parse(raw); err != nil {
				return nil, err
			}
		}
		n, err := e.apply(class)
		if err != nil {
			return nil, err
		}
		replaced[i] += n
	}
	if slices.Equal(before, replaced) {
		return nil, nil
	}
	return class.AppendTo(nil)
}

// apply changes a class, and says how often.
func (e edit) apply(class *classfile.Class) (replaced int, err error) {
	for i := range class.Methods {
		attribute := class.Pool.FindAttribute(class.Methods[i].Attributes, classfile.AttrCode)
		if attribute == nil {
			continue
		}
		raw, err := classfile.DecodeCode(attribute.Info)
		if err != nil {
			return 0, err
		}
		code, err := bytecode.Decode(raw, class.Pool)
		if err != nil {
			return 0, err
		}
		n, err := e.replace(code, class.Pool)
		if err != nil {
			return 0, err
		}
		if replaced += n; n == 0 {
			continue
		}
		if raw, err = code.Encode(); err != nil {
			return 0, err
		}
		if attribute.Info, err = raw.AppendTo(nil); err != nil {
			return 0, err
		}
	}
	return replaced, nil
}

// replace changes a method, and says how often.
func (e edit) replace(code *bytecode.Code, pool *classfile.Pool) (replaced int, err error) {
	var begun []int // new instructions whose constructors are still to be called
	for i, in := range code.Insns {
		switch in.Op {
		case bytecode.OpNew:
			begun = append(begun, i)
		case bytecode.OpInvokespecial, bytecode.OpInvokestatic:
			owner, name, types, err := pool.Ref(in.Pool())
			if err != nil {
				return 0, err
			}
			made := -1
			if last := len(begun) - 1; name == "<init>" && last >= 0 {
				if of, err := pool.ClassName(code.Insns[begun[last]].Pool()); err == nil && of == owner {
					made, begun = begun[last], begun[:last]
				}
			}
			switch {
			case owner != e.owner || types != e.types:
				continue
			case e.what == staticCalls && in.Op == bytecode.OpInvokestatic && name == e.name:
			case e.what == constructions && made >= 0 && code.Insns[made+1].Op == bytecode.OpDup:
				code.Insns[made], code.Insns[made+1] = bytecode.Insn(bytecode.OpNop), bytecode.Insn(bytecode.OpNop)
			default:
				continue
			}
			if err := e.call(code, i, pool); err != nil {
				return 0, err
			}
			replaced++
		case bytecode.OpAaload:
			if e.what == elementReads {
				if err := e.call(code, i, pool); err != nil {
					return 0, err
				}
				replaced++
			}
		}
	}
	return replaced, nil
}

// call puts the call of our method in the place of an instruction.
func (e edit) call(code *bytecode.Code, i int, pool *classfile.Pool) error {
	types := e.types
	switch e.what {
	case constructions:
		types = strings.TrimSuffix(types, "V") + "L" + e.owner + ";"
	case elementReads:
		types = "([L" + e.owner + ";I)L" + e.owner + ";"
	}
	owner, name, _ := strings.Cut(e.by, ".")
	method, err := pool.AddMethodref(owner, name, types)
	code.Insns[i] = bytecode.WithPool(bytecode.OpInvokestatic, method)
	return err
}
