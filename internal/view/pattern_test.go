package view

import (
	"strings"
	"testing"
)

// TestPattern: a part of a name is found in any case, whatever the alphabet.
func TestPattern(t *testing.T) {
	for _, test := range []struct {
		text, name string
		want       bool
	}{
		{"map", "java.util.HashMap.put(HashMap.java:17)", true},
		{"MAP.P", "java.util.HashMap.put", true},
		{":17)", "java.util.HashMap.put(HashMap.java:17)", true},
		{"set", "java.util.HashMap.put", false},
		{"größe", "demo.GRÖSSE", false},
		{"GRÖẞE", "demo.größe", true},
		{"öl", "demo.AbcÖLdef", true},
		{"kk", "demo.aaaaaaaaaaaaaaaaaaaaaK\u212A:17)", true},
		{"kkkk", "demo.aaaaaaaaaaaa\u212A\u212A\u212A\u212A:17)", true},
		{"/h.*map/", "java.util.HASHMAP", true},
		{"/^map", "java.util.HashMap", false},
	} {
		p, err := newPattern(test.text)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := p.matches(test.name); got != test.want {
				t.Errorf("%q in %q: %v", test.text, test.name, got)
			}
			p.matches(strings.Repeat("Xy", 40)) // it leaves nothing behind
		}
		for i := range test.name { // wherever the end begins
			front, rest := test.name[:i], test.name[i:]
			if got := p.matches(front) && p.expression == nil || p.matchesEnd(front, rest); got != test.want {
				t.Errorf("%q in %q and %q: %v", test.text, front, rest, got)
			}
			p.matchesEnd("", strings.Repeat("Xy", 40))
		}
	}
	if _, err := newPattern("/("); err == nil {
		t.Error("that is no pattern")
	}
}
