package truth_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestHandledArrays compares arrays that method handles make with the oracle's: they are counted where the JDK makes
// the handle that all of them call.
func TestHandledArrays(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, mallardtest.Source(t, "Handles.java"))},
			Main: "Handles"}
		plain := jvmtest.RunPlain(t, jdk, command)
		want := map[string]jvmtest.Counts{} // by class
		for site, counts := range jvmtest.RunOracle(t, jdk, command).Sites {
			linking := !slices.Contains([]string{"int[]", "java.lang.Object[]", "java.lang.String[][]"}, site.Class)
			if site.Declaring == "Handles" && !linking && site.AllocatedBy == "java.lang.reflect.Array.newArray" &&
				strings.HasPrefix(site.Called, "java.lang.invoke.") {
				of := want[site.Class]
				want[site.Class] = jvmtest.Counts{Objects: of.Objects + counts.Objects, Bytes: of.Bytes + counts.Bytes,
					Elements: of.Elements + counts.Elements}
			}
		}
		for _, options := range [][]string{{"-Xint"}, nil} {
			command.Options = options
			output, p := mallardtest.Record(t, jdk, command)
			if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr {
				t.Errorf("%v: prints\n%s%s\nnot\n%s%s", options, output.Stdout, output.Stderr, plain.Stdout,
					plain.Stderr)
			}
			have := map[string]jvmtest.Counts{}
			for _, site := range p.Sites {
				if site.Class == "java.lang.invoke.MethodHandleImpl" && site.Method == "makeConstantHandle" &&
					want[site.Type].Objects > 0 {
					have[site.Type] = mallardtest.Counted(site.Amount)
				}
			}
			if !maps.Equal(have, want) || len(want) == 0 {
				t.Errorf("%v: %+v, not %+v", options, have, want)
			}
		}
	})
}
