package emit

import (
	"os"
	"path/filepath"
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
	"mallard/internal/payload"
)

// TestRuntimeMethods: the runtime classes have all methods that are called.
func TestRuntimeMethods(t *testing.T) {
	classes, err := payload.Runtime()
	if err != nil {
		t.Fatal(err)
	}
	checkMethods(t, classes)
}

// TestPortableMethods: the portable runtime class has those that no agent needs to help.
func TestPortableMethods(t *testing.T) {
	classes, err := payload.Portable()
	if err != nil {
		t.Fatal(err)
	}
	class, err := classfile.Parse(classes["Counters"])
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []RuntimeMethod{count, array1, array2, array4, array8, arrayRef, arrayAfter, multi, array, object,
		nested, made, copied, cloned, superCloned, boxed, concat, record} {
		inNode := m.overload("Lmallard/portable/Node;")
		for _, descriptor := range []string{runtimeMethods[m].descriptor, inNode} {
			if class.FindMethod(runtimeMethods[m].name, descriptor) == nil {
				t.Errorf("no %s%s", runtimeMethods[m].name, descriptor)
			}
		}
	}
}

// TestStubMethods: the runtime classes that tests link with have them as well.
func TestStubMethods(t *testing.T) {
	folder := filepath.Join("..", "testdata", "runtime")
	sources, err := filepath.Glob(filepath.Join(folder, "java", "lang", "*.java"))
	if err != nil {
		t.Fatal(err)
	}
	compiled := jvmtest.JDKs(t)[0].MustJavac(t, []string{"--patch-module", "java.base=" + folder}, sources...)
	classes := map[string][]byte{}
	for _, name := range RuntimeNames[:CalledClasses] {
		if classes[name], err = os.ReadFile(filepath.Join(compiled, name+".class")); err != nil {
			t.Fatal(err)
		}
	}
	checkMethods(t, classes)
}

func checkMethods(t *testing.T, classes map[string][]byte) {
	t.Helper()
	var parsed [CalledClasses]*classfile.Class
	for i, name := range RuntimeNames[:CalledClasses] {
		var err error
		if parsed[i], err = classfile.Parse(classes[name]); err != nil {
			t.Fatal(err)
		}
	}
	for m := None + 1; int(m) < len(runtimeMethods); m++ {
		if m == concat || m == record || m > readReferenceAt { // which only the portable one has
			continue
		}
		method := &runtimeMethods[m]
		for _, descriptor := range []string{method.descriptor, m.overload("J")} {
			if descriptor != "" && parsed[method.class].FindMethod(method.name, descriptor) == nil {
				t.Errorf("no %s.%s%s", RuntimeNames[method.class], method.name, descriptor)
			}
		}
	}
}
