package truth_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestReveals: programs see of method handles whose methods make objects what they see without Mallard, which has them
// call others.
func TestReveals(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := jvmtest.Command{Classpath: []string{mallardtest.Compiled(t, jdk, "Reveals").Classpath[0]},
			Main: "Reveals"}
		plain := jvmtest.RunPlain(t, jdk, command)
		for _, flags := range [][]string{nil, {"--track", "contexts"}} {
			output, _ := mallardtest.Record(t, jdk, command, flags...)
			if output.Stdout != plain.Stdout || output.ExitCode != 0 {
				t.Errorf("%v: prints\n%s%s\nnot\n%s", flags, output.Stdout, output.Stderr, plain.Stdout)
			}
		}
	})
}

// TestHandledArrays compares arrays that method handles make with the oracle's: they are counted where a program calls
// these.
func TestHandledArrays(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := jvmtest.Command{Classpath: []string{mallardtest.Compiled(t, jdk, "Handles").Classpath[0]},
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
				if site.Class == "Handles" && site.Method == "main" && want[site.Type].Objects > 0 {
					of, more := have[site.Type], mallardtest.Counted(site.Amount)
					have[site.Type] = jvmtest.Counts{Objects: of.Objects + more.Objects, Bytes: of.Bytes + more.Bytes,
						Elements: of.Elements + more.Elements}
				}
			}
			// The JDK calls method handles as well, to link these calls.
			const objects, linking = "java.lang.Object[]", 50
			more := have[objects].Objects - want[objects].Objects
			have[objects] = want[objects]
			if !maps.Equal(have, want) || len(want) == 0 || more < 0 || more > linking {
				t.Errorf("%v: %+v and %d %s more, not %+v", options, have, more, objects, want)
			}
		}
	})
}
