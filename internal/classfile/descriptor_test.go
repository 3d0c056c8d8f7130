package classfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFieldDescriptors(t *testing.T) {
	for _, d := range []string{"I", "Z", "[J", "Ljava/lang/String;", "[[La;", strings.Repeat("[", 255) + "B"} {
		if err := CheckFieldDescriptor(d); err != nil {
			t.Error(err)
		}
	}
	for _, d := range []string{"", "V", "[", "[V", "L;", "La", "La.b;", "II", "La;I", "L[I;", strings.Repeat("[", 256) +
		"B"} {
		if CheckFieldDescriptor(d) == nil {
			t.Errorf("%q was accepted", d)
		}
	}
}

func TestMethodDescriptors(t *testing.T) {
	for d, want := range map[string][]string{
		"()V":                        {"V"},
		"(I)J":                       {"I", "J"},
		"(J[Ljava/lang/Object;D)[[I": {"J", "[Ljava/lang/Object;", "D", "[[I"},
	} {
		parameters, result, err := SplitMethodDescriptor(d)
		if diff := cmp.Diff(want, append(parameters, result)); diff != "" || err != nil {
			t.Errorf("%s: error %v, %s", d, err, diff)
		}
	}
	for _, d := range []string{"", "V", "(", "()", "(V)V", "(I", "()II", "(L)V", "()VV"} {
		if _, _, err := SplitMethodDescriptor(d); err == nil {
			t.Errorf("%q was accepted", d)
		}
	}
}

func TestSlots(t *testing.T) {
	for d, want := range map[string]int{"V": 0, "I": 1, "[J": 1, "La;": 1, "J": 2, "D": 2} {
		if got := Slots(d); got != want {
			t.Errorf("%s takes %d slots, want %d", d, got, want)
		}
	}
}

func TestJavaName(t *testing.T) {
	for internal, want := range map[string]string{
		"java/lang/String":    "java.lang.String",
		"Ljava/lang/String;":  "java.lang.String",
		"I":                   "I",
		"[I":                  "int[]",
		"[[Ljava/util/Map$E;": "java.util.Map$E[][]",
		"[LI;":                "I[]",
	} {
		if got := JavaName(internal); got != want {
			t.Errorf("%s is %s in Java, want %s", internal, got, want)
		}
	}
}
