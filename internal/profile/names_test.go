package profile

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

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "anything", true},
		{"main", "main", true},
		{"main", "main-2", false},
		{"java.util.*", "java.util.HashMap", true},
		{"java.util.*", "java.lang.String", false},
		{"*[]", "int[]", true},
		{"*Map*Node", "java.util.HashMap$TreeNode", true},
		{"*Map*Node", "java.util.HashMap", false},
		{"a*a", "a", false},
		{"a*b*b", "ab", false},
		{"*", "", true},
	} {
		if got := match(test.pattern, test.name); got != test.want {
			t.Errorf("match(%q, %q) = %v", test.pattern, test.name, got)
		}
	}
}
