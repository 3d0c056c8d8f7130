package truth_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestElements compares arrays by what they hold (JP paper, section 5: a basic type or references; number of arrays,
// number of elements) with the oracle: arrays of every type, of constant and computed lengths, of several dimensions,
// of which some are 0.
func TestElements(t *testing.T) {
	basic := []string{"boolean", "byte", "char", "short", "int", "long", "float", "double"}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		programs := jvmtest.Programs(t)
		program := programs[slices.IndexFunc(programs, func(p jvmtest.Program) bool { return p.Name == "ArrayKinds" })]
		command := program.Command(t, jdk)
		want := map[string]jvmtest.Counts{}
		for site, counts := range jvmtest.RunOracle(t, jdk, command).Sites {
			element, isArray := strings.CutSuffix(site.Class, "[]")
			if !program.Declares(site.Declaring) || !site.Allocates() || !isArray {
				continue
			}
			if !slices.Contains(basic, element) {
				element = profile.Reference
			}
			sum := want[element]
			want[element] = jvmtest.Counts{Objects: sum.Objects + counts.Objects, Bytes: sum.Bytes + counts.Bytes,
				Elements: sum.Elements + counts.Elements}
		}
		if len(want) != len(basic)+1 {
			t.Fatalf("the program has arrays of %d types", len(want))
		}
		for _, flags := range mallardtest.Variants {
			_, p := mallardtest.Record(t, jdk, command, flags...)
			got := map[string]jvmtest.Counts{}
			for _, row := range p.Rows(profile.Query{By: profile.ByElement,
				Filter: profile.Filter{Method: "ArrayKinds*"}}).Rows {
				got[row.Class] = mallardtest.Counted(row.Amount)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v: arrays (-oracle +mallard):\n%s", flags, diff)
			}
		}
	})
}
