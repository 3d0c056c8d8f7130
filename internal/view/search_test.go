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
		{"/h.*map/", "java.util.HASHMAP", true},
		{"/^map", "java.util.HashMap", false},
	} {
		matches, err := pattern(test.text)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := matches(test.name); got != test.want {
				t.Errorf("%q in %q: %v", test.text, test.name, got)
			}
			matches(strings.Repeat("Xy", 40)) // it leaves nothing behind
		}
	}
	if _, err := pattern("/("); err == nil {
		t.Error("that is no pattern")
	}
}
