package transactions

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	tests := []struct{ text, methods, calls string }{
		{"Shop.order", "Shop.order", ""},
		{"com.shop.Shop$Inner.order", "com.shop.Shop$Inner.order", ""},
		{"*.Shop.order*", "*.Shop.order*", ""},
		{"Shop.order(1)", "Shop.order", ""},
		{"Shop.order(2.getKind)", "Shop.order", "getKind"},
		{"Shop.order(2.getKind())", "Shop.order", "getKind"},
	}
	for _, test := range tests {
		s, err := Parse(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if s.methods != test.methods || strings.Join(s.calls, " ") != test.calls {
			t.Errorf("%s: %+v", test.text, s)
		}
	}
	for text, want := range map[string]string{
		"":                     "not a method",
		"order":                "not a method",
		"Shop.":                "not a method",
		"Shop.order(":          "not a method",
		"Shop.<init>":          "not a method",
		"Shop.order()":         "() is not the number",
		"Shop.order(0)":        "(0) is not the number",
		"Shop.order(name)":     "(name) is not the number",
		"Shop.order(1.a.b)":    "calls more than one",
		"Shop.order(1.a(2))":   "is not the number",
		"servlets,Shop.order(": "not a method",
		"spring,":              "not a method",
	} {
		if _, err := ParseList(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSelects(t *testing.T) {
	for pattern, want := range map[string][]string{
		"Shop.order":          {"Shop.order", "com.shop.Shop.order"},
		"shop.Shop.order":     {"com.shop.Shop.order"},
		"com.shop.Shop.*":     {"com.shop.Shop.order", "com.shop.Shop.orders"},
		"*Shop.order":         {"Shop.order", "com.shop.Shop.order", "com.shop.BookShop.order"},
		"com.shop.Shop.order": {"com.shop.Shop.order"},
		"shop.Shop":           nil,
	} {
		var got []string
		for _, title := range []string{"Shop.order", "com.shop.Shop.order", "com.shop.Shop.orders",
			"com.shop.BookShop.order"} {
			if selects(pattern, title) {
				got = append(got, title)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", pattern, diff)
		}
	}
}

func TestEndpoint(t *testing.T) {
	for want, paths := range map[string][]string{
		"GET /":            {"", ""},
		"GET /orders":      {"/orders/", ""},
		"GET /orders/{id}": {"orders", "/{id}"},
	} {
		if got := endpoint("GET", paths...); got != want {
			t.Errorf("%q: %q", paths, got)
		}
	}
}
