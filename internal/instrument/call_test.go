package instrument

import (
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
	"mallard/internal/payload"
)

// TestRuntimeMethods: the runtime class has all methods that are called.
func TestRuntimeMethods(t *testing.T) {
	b, err := payload.Runtime()
	if err != nil {
		t.Fatal(err)
	}
	class, err := classfile.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	checkMethods(t, class, class.FindMethod(runtimeMethods[enter].name, runtimeMethods[enter].descriptor) != nil) // those for contexts are still to come
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
		if class.FindMethod(runtimeMethods[m].name, runtimeMethods[m].descriptor) == nil {
			t.Errorf("no %s%s", runtimeMethods[m].name, runtimeMethods[m].descriptor)
		}
	}
}

// TestStubMethods: the runtime class that tests link with has them as well.
func TestStubMethods(t *testing.T) {
	set := jvmtest.NewClassSet(t)
	b := addRuntime(t, jvmtest.JDKs(t)[0], set)
	class, err := classfile.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	checkMethods(t, class, true)
}

func checkMethods(t *testing.T, class *classfile.Class, contexts bool) {
	t.Helper()
	check := func(name, descriptor string) {
		if class.FindMethod(name, descriptor) == nil {
			t.Errorf("no %s%s", name, descriptor)
		}
	}
	for m := none + 1; int(m) < len(runtimeMethods); m++ {
		if (contexts || m < enter) && m != concat && m != record { // which only the portable one has
			check(runtimeMethods[m].name, runtimeMethods[m].descriptor)
		}
		if overload := m.overload(); contexts && m != concat && m != record && overload != "" {
			check(runtimeMethods[m].name, overload)
		}
	}
}
