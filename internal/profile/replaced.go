package profile

import (
	"fmt"
	"strings"
)

// dimensionsPassed is how many dimensions of a new array C2 passes to the JVM one by one; for more it makes an array of
// the lengths.
const dimensionsPassed = 5

// describeReplaced names what code that C2 puts in the place of a program's makes and nobody can count, where sites say
// that it may have: lengths of arrays, and arrays that Arrays.copyOf has made when something did not fit into them.
func describeReplaced(sites []Site) string {
	var deep, unfit *Site // with the most objects
	for i := range sites {
		s := &sites[i]
		switch {
		case strings.Count(s.Type, "[]") > dimensionsPassed:
			deep = larger(deep, s)
		case s.Type == "java.lang.ArrayStoreException":
			unfit = larger(unfit, s)
		}
	}
	var parts []string
	if deep != nil {
		parts = append(parts, fmt.Sprintf("the lengths of arrays of more than %d dimensions (%s)", dimensionsPassed,
			place(deep)))
	}
	if unfit != nil {
		parts = append(parts, fmt.Sprintf("arrays that Arrays.copyOf could not fill (%s)", place(unfit)))
	}
	if parts == nil {
		return ""
	}
	return ", or compiled code: " + strings.Join(parts, ", ")
}

func larger(a, b *Site) *Site {
	if a == nil && b.Amount.Objects > 0 || a != nil && b.Amount.Objects > a.Amount.Objects {
		return b
	}
	return a
}

func place(s *Site) string { return fmt.Sprintf("%s.%s:%d", s.Class, s.Method, s.Line) }
