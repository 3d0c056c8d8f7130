package profile

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	names := []string{"java.lang.String", "java.lang.StringBuilder", "java.util.HashMap$Node", "org.foo.Shop.slow",
		"byte[]"}
	for _, test := range []struct {
		patterns string
		want     []string
	}{
		{"Strnig", []string{"java.lang.String"}},
		{"string", []string{"java.lang.String", "java.lang.StringBuilder"}},
		{"HashMap.Node", []string{"java.util.HashMap$Node"}},
		{"Node", []string{"java.util.HashMap$Node"}},
		{"shop.Slow*", []string{"org.foo.Shop.slow"}},
		{"org.fo", []string{"org.foo.Shop.slow"}},
		{"Byte[]", []string{"byte[]"}},
		{"Quaternion", nil},
		{"*", nil},
	} {
		if diff := cmp.Diff(test.want, Nearest(test.patterns, slices.Values(names))); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.patterns, diff)
		}
	}
}
