package profile

import "testing"

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
		if got := Match(test.pattern, test.name); got != test.want {
			t.Errorf("Match(%q, %q) = %v", test.pattern, test.name, got)
		}
	}
}
