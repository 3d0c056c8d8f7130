package instrument

import (
	"testing"

	"mallard/internal/classfile"
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
	for m := none + 1; m < enter; m++ { // those for contexts are still to come
		if method := class.FindMethod(runtimeMethods[m].name, runtimeMethods[m].descriptor); method == nil {
			t.Errorf("no %s%s", runtimeMethods[m].name, runtimeMethods[m].descriptor)
		}
	}
}
