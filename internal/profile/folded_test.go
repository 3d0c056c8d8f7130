package profile

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
)

// TestFolded: contexts that differ in others' frames alone are one row, and nothing is lost.
func TestFolded(t *testing.T) {
	p := fold(t, profiletest.Contexts)
	for _, test := range []struct {
		mine string
		want []string // objects and class
	}{
		{"java.util.HashMap", []string{"154 java.util.HashMap$Node", "7 java.util.HashMap$Node", "6 demo.Point",
			"2 byte[]", "1 int[]"}},
		{"demo", []string{"100 java.util.HashMap$Node", "50 java.util.HashMap$Node", "7 java.util.HashMap$Node",
			"4 java.util.HashMap$Node", "3 demo.Point", "2 byte[]", "2 demo.Point", "1 int[]", "1 demo.Point"}},
	} {
		answer := p.Rows(Query{By: ByContext, Mine: &Mine{Patterns: test.mine}})
		var got []string
		var sum Amount
		for _, row := range answer.Rows {
			got = append(got, fmt.Sprint(row.Amount.Objects, " ", row.Class))
			sum.Add(row.Amount)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.mine, diff)
		}
		if sum != answer.Selected || sum != p.Total || answer.Count != len(answer.Rows) {
			t.Errorf("%s: %+v of %+v, %d rows of %d", test.mine, sum, p.Total, len(answer.Rows), answer.Count)
		}
	}
	all := p.Rows(Query{By: ByContext})
	if !slices.ContainsFunc(all.Rows, func(r Row) bool { return r.Folded == nil }) || len(all.Rows) != 9 {
		t.Errorf("%d rows without folding", len(all.Rows))
	}
}
