package cfg

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
)

var update = flag.Bool("update", false, "write golden files anew; the test still fails")

// TestGolden compares the graphs of all methods of the sources under testdata with the text beside them.
func TestGolden(t *testing.T) { jvmtest.CompareGolden(t, *update, graphsOf) }

// graphsOf is the text of all methods of a class.
func graphsOf(t *testing.T, b []byte) string {
	t.Helper()
	class, err := classfile.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	var s strings.Builder
	err = eachMethod(class, func(name string, code *bytecode.Code, g *Graph) error {
		fmt.Fprintf(&s, "%s\n", name)
		for _, line := range strings.SplitAfter(g.String(), "\n") {
			var b int
			if _, err := fmt.Sscanf(line, "b%d [", &b); err == nil {
				line = strings.TrimSuffix(line, "\n") + ":" + mnemonics(code, g.Blocks[b]) + "\n"
			}
			s.WriteString(line)
		}
		s.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.String()
}

func mnemonics(code *bytecode.Code, b Block) string {
	s := ""
	for _, in := range code.Insns[b.First:b.End] {
		s += " " + in.Op.String()
	}
	return s
}

// eachMethod builds the graphs of a class.
func eachMethod(class *classfile.Class, visit func(name string, code *bytecode.Code, g *Graph) error) error {
	className, err := class.Name()
	if err != nil {
		return err
	}
	super, err := class.SuperName()
	if err != nil {
		return err
	}
	for i := range class.Methods {
		m := &class.Methods[i]
		a := class.Pool.FindAttribute(m.Attributes, classfile.AttrCode)
		if a == nil {
			continue
		}
		raw, err := classfile.DecodeCode(a.Info)
		if err != nil {
			return err
		}
		code, err := bytecode.Decode(raw, class.Pool)
		if err != nil {
			return err
		}
		name, err := class.Pool.Utf8(m.Name)
		if err != nil {
			return err
		}
		descriptor, err := class.Pool.Utf8(m.Descriptor)
		if err != nil {
			return err
		}
		full := className + "." + name + descriptor
		g, err := Build(code, class.Pool, MethodInfo{Name: name, Class: className, Super: super})
		if err != nil {
			return fmt.Errorf("%s: %w", full, err)
		}
		if err := visit(full, code, g); err != nil {
			return fmt.Errorf("%s: %w", full, err)
		}
	}
	return nil
}
