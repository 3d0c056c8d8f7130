package view

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

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
