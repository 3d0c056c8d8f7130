package profile

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
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

// TestUnmatched: what selects nothing in a list is named, unless the whole is a name, or nothing is selected at all.
func TestUnmatched(t *testing.T) {
	p := fold(t, profiletest.Transactions)
	for _, test := range []struct {
		filter Filter
		want   []NoMatch
	}{
		{Filter{}, nil},
		{Filter{Class: "long[], lng[],Shop"}, []NoMatch{{"class", "lng[]", []string{"long[]"}},
			{"class", "Shop", nil}}},
		{Filter{Class: "Shop,Cart"}, nil},
		{Filter{Class: "Shop"}, nil},
		{Filter{Method: "run,runs", Transaction: "order,,oder"}, []NoMatch{
			{"method", "runs", []string{"demo.Main.run"}}, {"transaction", "oder", []string{"order"}}}},
	} {
		if diff := cmp.Diff(test.want, p.Unmatched(test.filter)); diff != "" {
			t.Errorf("%+v: -want +got\n%s", test.filter, diff)
		}
	}
}
