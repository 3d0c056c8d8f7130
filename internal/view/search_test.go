package view

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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

// TestSearchedRows: the rows whose titles or classes have what is searched for, and no others.
func TestSearchedRows(t *testing.T) {
	for name, recording := range recordings(t) {
		r := opened(t, recording)
		rows := func(by, text string) (all []Row) {
			for {
				answer, err := r.Rows(RowsQuery{By: by, Sort: "title", From: len(all), Count: mostRows, Search: text})
				if err != nil {
					t.Fatal(err)
				}
				if all = append(all, answer.Rows...); len(all) == answer.Count {
					return all
				}
			}
		}
		for _, by := range []string{"method", "class", "site", "line", "thread", "transaction"} {
			all := rows(by, "")
			found := 0
			for _, text := range []string{"MAIN", "7", ":1", "7)", "java:", "s1.method", "va:11)", "/[02]\\)$/",
				"/^demo/", "/java:$/", "class7.method1(class7.java:7)", "nowhere"} {
				matches := regexp.MustCompile("(?i)" + regexp.QuoteMeta(text))
				if expression, is := strings.CutPrefix(text, "/"); is {
					matches = regexp.MustCompile("(?i)" + strings.TrimSuffix(expression, "/"))
				}
				want := slices.DeleteFunc(slices.Clone(all), func(row Row) bool {
					return !matches.MatchString(row.Title) && !matches.MatchString(row.Class)
				})
				got := rows(by, text)
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s, %q by %s: -want +got\n%s", name, text, by, diff)
				}
				found += len(want)
			}
			if by == "line" && found == 0 {
				t.Errorf("%s: no line was found", name)
			}
		}
	}
}
