package instrument

import (
	"strings"
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
	for _, m := range []runtimeMethod{count, array1, array2, array4, array8, arrayRef, multi, array, object, nested, cloned, superCloned, concat, record} {
		inNode := strings.Replace(m.overload(), "JI)", "Lmallard/portable/Node;I)", 1)
		for _, descriptor := range []string{runtimeMethods[m].descriptor, inNode} {
			if class.FindMethod(runtimeMethods[m].name, descriptor) == nil {
				t.Errorf("no %s%s", runtimeMethods[m].name, descriptor)
			}
		}
	}
}

// TestStubMethods: the runtime classes that tests link with have them as well.
func TestStubMethods(t *testing.T) {
	set := jvmtest.NewClassSet(t)
	checkMethods(t, addRuntime(t, jvmtest.JDKs(t)[0], set))
}

func checkMethods(t *testing.T, classes map[string][]byte) {
	t.Helper()
	var parsed [calledClasses]*classfile.Class
	for i, name := range runtimeNames[:calledClasses] {
		var err error
		if parsed[i], err = classfile.Parse(classes[name]); err != nil {
			t.Fatal(err)
		}
	}
	for m := none + 1; int(m) < len(runtimeMethods); m++ {
		if m == concat || m == record || m > forgetTransactionsCode { // which only the portable one has
			continue
		}
		method := &runtimeMethods[m]
		for _, descriptor := range []string{method.descriptor, m.overload()} {
			if descriptor != "" && parsed[method.class].FindMethod(method.name, descriptor) == nil {
				t.Errorf("no %s.%s%s", runtimeNames[method.class], method.name, descriptor)
			}
		}
	}
}
