package placement

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
)

var update = flag.Bool("update", false, "write golden files anew; the test still fails")

// TestGolden compares graphs and plans of all methods that allocate, of the sources under testdata, with the text
// beside them.
func TestGolden(t *testing.T) { jvmtest.CompareGolden(t, *update, plansOf) }

func plansOf(t *testing.T, b []byte) string {
	t.Helper()
	class, err := classfile.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	var s strings.Builder
	err = eachMethodOf(class, func(m method) {
		fmt.Fprintf(&s, "%s\n%v", m.name, m.problem.Graph)
		for _, allocs := range m.problem.Allocs {
			for _, a := range allocs {
				fmt.Fprintf(&s, "%d allocates %v\n", a.At, a.Sites)
			}
		}
		for _, strategy := range strategies {
			pl, err := Place(m.problem, strategy)
			if err != nil {
				t.Fatalf("%s: %v", m.name, err)
			}
			s.WriteString(pl.String())
		}
		s.WriteByte('\n')
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.String()
}
