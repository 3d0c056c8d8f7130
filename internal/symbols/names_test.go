package symbols

import "testing"

func TestTypeName(t *testing.T) {
	for internal, want := range map[string]string{
		"java/lang/String":     "java.lang.String",
		"java/util/Map$Entry":  "java.util.Map$Entry",
		"I":                    "I", // a class of this name in the unnamed package
		"[I":                   "int[]",
		"[[Z":                  "boolean[][]",
		"[[Ljava/lang/Object;": "java.lang.Object[][]",
		"[LI;":                 "I[]",
	} {
		if got := TypeName(internal); got != want {
			t.Errorf("TypeName(%q) = %q, want %q", internal, got, want)
		}
		if got := InternalType(want); got != internal {
			t.Errorf("InternalType(%q) = %q, want %q", want, got, internal)
		}
	}
}

func TestParameters(t *testing.T) {
	for descriptor, want := range map[string]string{
		"()V":                         "()",
		"(ILjava/lang/String;)V":      "(int, String)",
		"([[JLjava/util/Map$Entry;)I": "(long[][], Map$Entry)",
		"(":                           "(",
		"(Lbroken)V":                  "(Lbroken)V",
		"([)V":                        "([)V",
		"no method":                   "no method",
	} {
		if got := Parameters(descriptor); got != want {
			t.Errorf("Parameters(%q) = %q, want %q", descriptor, got, want)
		}
	}
}
