package truth_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestBacktraces compares the arrays in which the JVM records the stacks of exceptions with the oracle, by type:
// TestCountsAreTrue looks at a program's own classes only. What the JVM throws before main is the same in both runs.
func TestBacktraces(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		programs := jvmtest.Programs(t)
		program := programs[slices.IndexFunc(programs, func(p jvmtest.Program) bool { return p.Name == "Backtraces" })]
		command := program.Command(t, jdk)
		for _, options := range [][]string{{"-Xint"}, nil, {"-Xcheck:jni"}, {"-XX:-StackTraceInThrowable"}} {
			t.Run(fmt.Sprint(options), func(t *testing.T) {
				command.Options = options
				plain := jvmtest.RunPlain(t, jdk, command)
				want := map[string]jvmtest.Counts{}
				for site, counts := range jvmtest.RunOracle(t, jdk, command).Sites {
					if site.Declaring == "java.lang.Throwable" && site.Method == "fillInStackTrace" &&
						site.Called == "" {
						sum := want[site.Class]
						want[site.Class] = jvmtest.Counts{Objects: sum.Objects + counts.Objects, Bytes: sum.Bytes +
							counts.Bytes}
					}
				}
				output, p := mallardtest.Record(t, jdk, command)
				counted := map[string]jvmtest.Counts{}
				for _, site := range p.Sites {
					if site.Class == "java.lang.Throwable" && site.Method == "fillInStackTrace" &&
						site.Amount.Objects != 0 {
						sum := counted[site.Type]
						counted[site.Type] = jvmtest.Counts{Objects: sum.Objects + site.Amount.Objects,
							Bytes: sum.Bytes + site.Amount.Bytes}
					}
				}
				if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr {
					t.Errorf("under mallard the program prints\n%s%s\nnot\n%s%s", output.Stdout, output.Stderr,
						plain.Stdout, plain.Stderr)
				}
				if diff := cmp.Diff(want, counted); diff != "" {
					t.Errorf("arrays (-oracle +mallard):\n%s", diff)
				}
			})
		}
	})
}
