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

func TestMatchName(t *testing.T) {
	for _, test := range []struct {
		patterns, name string
		want           bool
	}{
		{"", "anything", true},
		{"String", "java.lang.String", true},
		{"String", "java.lang.String[]", false},
		{"String", "java.lang.StringBuilder", false},
		{"String*", "java.lang.StringBuilder", true},
		{"Shop.slow", "org.foo.Shop.slow", true},
		{"Shop.slow", "org.foo.Shop.slower", false},
		{"Shop.slow", "org.foo.WorkShop.slow", false},
		{"Shop", "org.foo.Shop.slow", true},
		{"org.foo", "org.foo.Shop.slow", true},
		{"org.foo", "org.foobar.Shop", false},
		{"java.util.HashMap", "java.util.HashMap$Node", false},
		{"HashMap$Node", "java.util.HashMap$Node", true},
		{"java.util.*", "java.util.HashMap", true},
		{"java.util.*", "shaded.java.util.HashMap", false},
		{"Integer, String", "java.lang.String", true},
		{"Integer,String", "java.lang.Long", false},
		{"byte[],", "byte[]", true},
		{",", "byte[]", false},
		{"a.a.b", "a.a.a.b", true},
	} {
		if got := MatchName(test.patterns, test.name); got != test.want {
			t.Errorf("MatchName(%q, %q) = %v", test.patterns, test.name, got)
		}
	}
}

func TestMatchTitle(t *testing.T) {
	for _, test := range []struct {
		patterns, name string
		want           bool
	}{
		{"", "anything", true},
		{"main,worker-*", "worker-2", true},
		{"main", "a.main", false},
		{"pool, of one", "pool, of one", true},
	} {
		if got := MatchTitle(test.patterns, test.name); got != test.want {
			t.Errorf("MatchTitle(%q, %q) = %v", test.patterns, test.name, got)
		}
	}
}

// TestMatchSite: a site is selected by its method, as MatchName has it, and by its line.
func TestMatchSite(t *testing.T) {
	site := &Site{Class: "demo.Main", Method: "run", Line: 12}
	for patterns, want := range map[string]bool{
		"demo.Main.run": true, "run": true, "Main.run:12": true, "Main.*": false, "demo.Main.*:12": true,
		"other,run:12": true,
		"run:13":       false, "run:": false, "run:x": false, "Main.other:12": false, "run:13,run:14": false,
	} {
		if got := MatchSite(patterns, site); got != want {
			t.Errorf("%s: %v, want %v", patterns, got, want)
		}
	}
}
