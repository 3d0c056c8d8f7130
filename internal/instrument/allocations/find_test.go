package allocations

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
)

// TestFind compares what is found with what each line of testdata/Makes.java says.
func TestFind(t *testing.T) {
	source := filepath.Join("testdata", "Makes.java")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	classes := jvmtest.JDKs(t)[0].MustJavac(t, []string{"--release", "17"}, source)
	file, err := os.ReadFile(filepath.Join(classes, "Makes.class"))
	if err != nil {
		t.Fatal(err)
	}
	found := findAll(t, file, "Makes")
	for i, line := range strings.Split(string(text), "\n") {
		_, want, _ := strings.Cut(line, "// ")
		if got := strings.Join(found[i+1], ", "); got != want {
			t.Errorf("line %d makes %q, and not %q", i+1, got, want)
		}
	}
}

// findAll describes the sites of a class, by line.
func findAll(t *testing.T, file []byte, name string) map[int][]string {
	t.Helper()
	class, err := classfile.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	finder := NewFinder(class, name, Options{})
	found := map[int][]string{}
	for _, m := range class.Methods {
		raw, err := classfile.DecodeCode(class.Pool.FindAttribute(m.Attributes, classfile.AttrCode).Info)
		if err != nil {
			t.Fatal(err)
		}
		code, err := bytecode.Decode(raw, class.Pool)
		if err != nil {
			t.Fatal(err)
		}
		method, _ := class.Pool.Utf8(m.Name)
		all, sites, err := finder.Find(method, code)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) > 0 && !finder.MayAllocate(raw.Bytecode) {
			t.Errorf("%s is said not to allocate", method)
		}
		for _, s := range sites {
			found[s.Line] = append(found[s.Line], describe(s))
		}
	}
	return found
}

func describe(s Site) string {
	kind := [...]string{"Instance", "ArrayConst", "ArrayLen", "Multi", "Called", "Executed", "Raised"}[s.Kind]
	text := kind + " " + s.Type
	if s.Kind == ArrayConst {
		text += fmt.Sprint(" ", s.Length)
	}
	for _, use := range []struct {
		text string
		is   bool
	}{{" looped", s.Looped}, {" passed", s.PassedTo > s.BCI}, {" copied", s.Copied}} {
		if use.is {
			text += use.text
		}
	}
	return text
}
