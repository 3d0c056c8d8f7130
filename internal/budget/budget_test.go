package budget

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
	"mallard/internal/symbols"
)

func TestLimits(t *testing.T) {
	for text, want := range map[string]string{
		"1 MB": "1 MB", "1MB": "1 MB", "1.5GiB": "1.5 GiB", "1500": "1.5 kB", "200 bytes": "200 bytes",
		"1 byte":    "1 byte",
		"0 objects": "0 objects", "1000 objects": "1,000 objects", "1object": "1 object", "0": "0 bytes",
		"1023 KiB": "1023 KiB", "2048 kib": "2 MiB", "1234567 b": "1.23 MB", "123456789": "123 MB", "1e3": "1 kB",
	} {
		l, err := ParseLimit(text)
		if err != nil || l.String() != want {
			t.Errorf("%q is %v, error %v; want %s", text, l, err, want)
		}
	}
	for _, text := range []string{"", "MB", "-1", "1 TB", "1.5 objects", "0.1", "1e99 GB", "NaN", "Inf", "1 M B",
		"0x"} {
		if l, err := ParseLimit(text); err == nil {
			t.Errorf("%q is %v", text, l)
		}
	}
}

func TestParseRules(t *testing.T) {
	rules, err := ParseRules(strings.NewReader("# budgets\n\n  max 1 MB under com.shop.Order.total # so far\r\n" +
		"max 0 objects class java.lang.Integer mine 'org.foo.*' optional\nmax 10 thread \"main thread\"\nmax 3"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Rule{
		{Line: 3, Text: "max 1 MB under com.shop.Order.total", Limit: Limit{Max: 1e6},
			Filter: profile.Filter{Under: "com.shop.Order.total"}},
		{Line: 4, Text: "max 0 objects class java.lang.Integer mine 'org.foo.*' optional", Limit: Limit{Objects: true},
			Filter: profile.Filter{Class: "java.lang.Integer"}, Mine: "org.foo.*", Optional: true},
		{Line: 5, Text: `max 10 thread "main thread"`, Limit: Limit{Max: 10},
			Filter: profile.Filter{Thread: "main thread"}},
		{Line: 6, Text: "max 3", Limit: Limit{Max: 3}},
	}
	if diff := cmp.Diff(want, rules, cmp.AllowUnexported(Limit{}, Rule{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for text, want := range map[string]string{
		"min 1 MB":          "1:1: \"min\": a rule begins with max, as in max 1 MB under com.shop.Order",
		"\nmax":             "2:4: missing limit, such as 1 MB or 0 objects",
		"max under x":       "1:4: missing limit, such as 1 MB or 0 objects",
		"max 1 TB":          "1:5: \"1 TB\": \"tb\" is no unit: bytes, kB, MB, GB, KiB, MiB, GiB or objects",
		"max 1 MB in x":     "1:10: \"in\" is none of waste, class, method, under, transaction, thread, mine, optional",
		"max 1 MB under":    "1:15: missing name behind under",
		"max 1 MB under ''": "1:15: missing name behind under",
		"max 1 per transaction a thread b": "1:1: per transaction and thread: transactions are counted for all " +
			"threads together",
		"max 1 MB per thread a": "1:10: \"per\" is none of waste, class, method, under, transaction, thread, mine, " +
			"optional",
		"max 1 class a class b":   "1:15: class is there twice; several names are separated by commas",
		"max 1 MB thread 'a b":    "1:17: a quote that is not closed",
		"max 1 MB optional under": "1:24: missing name behind under",
		"max 1 waste boxing,box": "1:13: \"box\" is no kind of waste: exceptions, enum-values, boxing, lambdas, " +
			"iterators, empty-arrays, growth, copies, varargs, empty-collections, concatenation, or all",
	} {
		if _, err := ParseRules(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

func read(t *testing.T, text string) *profile.Profile {
	t.Helper()
	p, err := profile.Fold(strings.NewReader(string(profiletest.MustEncode(t, text))))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCheck(t *testing.T) {
	contexts, sites := read(t, profiletest.Contexts), read(t, profiletest.Demo)
	transactions := read(t, profiletest.Transactions+
		"ContextCounts Nanos=3000000000 Thread=1 Invocations=[2:7 4:5 6:1]\n")
	for _, test := range []struct {
		p    *profile.Profile
		rule string
		want string // status, and what is said where it is over or unknown
	}{
		{contexts, "max 170 objects", "ok"},
		{contexts, "max 5000 bytes", "over 5.49 kB in all is 488 bytes (10 %) over the budget of 5 kB; " +
			"most by demo.App.main(App.java:12) (3.2 kB)"},
		{contexts, "max 50 objects under App.run", "ok"},
		{contexts, "max 0 objects under App.run", "over 50 objects under App.run are 50 objects over the budget of " +
			"0 objects; most by demo.App.run(App.java:21) (50 objects)"},
		{contexts, "max 1 object class int[]", "ok"},
		{contexts, "max 1 kB mine java.util", "over 5.15 kB by java.util is 4.15 kB (415 %) over the budget of 1 kB; " +
			"most by java.util.HashMap.newNode(HashMap.java:1797) (4.93 kB)"},
		{contexts, "max 1 class Pount",
			`unknown class: nothing in this recording matches "Pount"; did you mean demo.Point?`},
		{contexts, "max 1 class Pount optional", "ok"},
		{contexts, "max 1 mine dema.App", `unknown mine: nothing in this recording matches "dema.App"; did you mean ` +
			"demo.App?"},
		{sites, "max 1 under App.run", "unknown recorded without contexts, so callers are unknown; " +
			`"mallard run --track contexts" records them`},
		{sites, "max 1 under App.run optional", "unknown recorded without contexts, so callers are unknown; " +
			`"mallard run --track contexts" records them`},
		// 240 objects of 24 bytes in 7
		{transactions, "max 35 objects per transaction order", "ok"},
		{transactions, "max 34 objects per transaction order", "over 35 objects in each transaction order are " +
			"1 object (3 %) over the budget of 34 objects; most by demo.Main.run (210 objects)"},
		{transactions, "max 1 MB per transaction odrer optional", "ok"},
		{read(t, profiletest.Transactions), "max 1 MB per transaction order",
			"unknown the recording does not say how many transactions began"},
		{sites, "max 1 MB", "unknown 1 object have an unknown size"},
		{sites, "max 5 objects class HashMap$Node", "over 1,534 objects of HashMap$Node are 1,529 objects (30580 %) " +
			"over the budget of 5 objects; most by java.util.HashMap.newNode(HashMap.java:1797) (1,534 objects)"},
	} {
		rules, err := ParseRules(strings.NewReader(test.rule))
		if err != nil {
			t.Fatal(err)
		}
		r := Check(test.p, &rules[0], nil)
		got := string(r.Status)
		switch r.Status {
		case Over:
			got += " " + r.Text()
		case Unknown:
			got += " " + r.Reason
		}
		if got != test.want {
			t.Errorf("%s:\n%s\nwant %s", test.rule, got, test.want)
		}
	}
}

func FuzzRules(f *testing.F) {
	f.Add("max 1 MB under com.shop.Order # x\nmax 0 objects class 'a b' optional")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := ParseRules(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, r := range rules {
			again, err := ParseRules(strings.NewReader(r.Text))
			if err != nil || len(again) != 1 {
				t.Fatalf("%q: %v", r.Text, err)
			}
			again[0].Line = r.Line
			if diff := cmp.Diff(r, again[0], cmp.AllowUnexported(Limit{}, Rule{})); diff != "" {
				t.Errorf("%q is read as something else: %s", r.Text, diff)
			}
		}
	})
}

// TestAnnotated reads what mallard.AllocatesExtension calls transactions.
func TestAnnotated(t *testing.T) {
	p := profile.Profile{Tracked: true}
	for _, name := range []string{`@Allocates(max = "1 MB") shop.Test.all`,
		`@Allocates(max = "3 objects") shop.Test.all #2`,
		`@Allocates(max = "a lot") shop.Test.some`, "order", `@Allocates(max = "1 MB")`} {
		p.Methods = append(p.Methods, symbols.Method{Name: "[" + name + "]", Transaction: true})
	}
	var got []string
	for _, rule := range Annotated(&p) {
		r := Check(&p, &rule, nil)
		got = append(got, fmt.Sprint(rule.About(), ": ", rule.Limit, " ", r.Status, " ", r.Reason))
	}
	want := []string{"in test shop.Test.all: 1 MB ok ", "in test shop.Test.all #2: 3 objects ok ",
		"in test shop.Test.some: 0 bytes unknown not a limit, such as 1 MB, 200 bytes or 1000 objects"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
