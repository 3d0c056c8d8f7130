package cfg

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
)

var update = flag.Bool("update", false, "write golden files anew; the test still fails")

// TestGolden compiles the Java sources under testdata with every JDK, for release
// 11, and compares the graphs of all methods with the text beside the source.
func TestGolden(t *testing.T) {
	sources, err := filepath.Glob("testdata/*.java")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, source := range sources {
			got := graphsOf(t, jdk.MustJavac(t, []string{"--release", "11"}, source))
			golden := strings.TrimSuffix(source, ".java") + ".txt"
			want, err := os.ReadFile(golden)
			if err != nil && !*update {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s: -want +got\n%s", golden, diff)
				if *update {
					if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	})
}

// graphsOf is the text of all methods of all classes in a folder, by name of class.
func graphsOf(t *testing.T, folder string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.class"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	var s strings.Builder
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		class, err := classfile.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
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
